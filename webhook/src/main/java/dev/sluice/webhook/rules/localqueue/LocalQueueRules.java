package dev.sluice.webhook.rules.localqueue;

import dev.sluice.api.ApiKind;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.metadata.LongNames;
import dev.sluice.webhook.rules.quota.FairSharingRules;
import dev.sluice.webhook.rules.references.References;

/** What a LocalQueue must be: it stays with its ClusterQueue, and weighs what can be weighed. */
public final class LocalQueueRules implements AdmissionRules {
  @Override
  public void check(RuleInput input, ValidationResult findings) {
    Ratchet.check(
        input,
        findings,
        (root, found) -> {
          FairSharingRules.checkShape(root.child("spec"), found);
          FairSharingRules.checkWeight(root.child("spec"), found);
        });
    input.oldRoot().ifPresent(old -> checkQueueIsKept(old, input.root(), findings));
    LongNames.warn(input, Labels.QUEUE_NAME, findings);
    if (!input.hasSameSpec()) {
      warnOfQueue(input, findings);
    }
  }

  private static Field clusterQueue(Field root) {
    return root.child("spec").child("clusterQueue");
  }

  private static void checkQueueIsKept(Field old, Field root, ValidationResult findings) {
    if (clusterQueue(old).isPresent() && !clusterQueue(root).isPresent()) {
      findings.add(
          FieldError.forbidden(
              clusterQueue(root),
              "cannot be removed, as it cannot be changed: make a new LocalQueue instead"));
    }
  }

  private static void warnOfQueue(RuleInput input, ValidationResult findings) {
    Field queue = clusterQueue(input.root());
    if (!queue.isPresent()) {
      findings.warn(queue.path() + ": absent, so workloads of this queue wait for ever");
    }
    References.of(input)
        .warnIfMissing(queue, ApiKind.CLUSTER_QUEUE, "workloads wait until it exists", findings);
  }
}
