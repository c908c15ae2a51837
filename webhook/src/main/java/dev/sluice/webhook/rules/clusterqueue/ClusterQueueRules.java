package dev.sluice.webhook.rules.clusterqueue;

import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.webhook.rules.quota.FairSharingRules;
import dev.sluice.webhook.rules.quota.QuotaOwner;
import dev.sluice.webhook.rules.quota.ResourceGroupRules;
import dev.sluice.webhook.rules.quota.ResourceGroupShape;
import dev.sluice.webhook.rules.selector.LabelSelectorRules;

/**
 * The rules of a ClusterQueue beyond its schema, in the order in which Kueue names several faults.
 * An update is checked like a create, whatever was stored, except for the flavors of admission
 * checks ({@link CheckFlavors}). Settings that leave a queue idle give a warning ({@link
 * ClusterQueueWarnings}).
 */
public final class ClusterQueueRules implements AdmissionRules {
  private static final ResourceGroupRules RESOURCE_GROUPS =
      new ResourceGroupRules(QuotaOwner.CLUSTER_QUEUE);
  private static final String NEVER = "Never";
  private static final String TRY_NEXT = "TryNextFlavor";

  @Override
  public void check(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    RESOURCE_GROUPS.check(spec, findings);
    LabelSelectorRules.check(spec.child("namespaceSelector"), findings);
    checkPreemption(spec.child("preemption"), findings);
    checkFungibility(spec.child("flavorFungibility"), findings);
    FairSharingRules.checkWeight(spec, findings);
    RESOURCE_GROUPS.checkTotals(spec, findings);
    ConcurrentAdmission.check(input, findings);
    CheckFlavors.check(input, findings);
    Ratchet.check(input, findings, ClusterQueueRules::checkShape);
    if (!input.hasSameSpec()) {
      ClusterQueueWarnings.check(input, findings);
    }
  }

  /** The schema allows texts that are no quantities, such as 1e1.5. */
  private static void checkShape(Field root, ValidationResult findings) {
    Field spec = root.child("spec");
    FairSharingRules.checkShape(spec, findings);
    ResourceGroupShape.checkQuantities(spec, findings);
  }

  private static void checkPreemption(Field preemption, ValidationResult findings) {
    String reclaim = preemption.child("reclaimWithinCohort").text().orElse(NEVER);
    String policy = preemption.child("borrowWithinCohort").child("policy").text().orElse(NEVER);
    if (reclaim.equals(NEVER) && !policy.equals(NEVER)) {
      findings.add(
          FieldError.invalid(
              preemption,
              "borrowWithinCohort needs a reclaimWithinCohort other than Never: a queue that may"
                  + " not take back its own quota may not preempt for borrowed quota"));
    }
  }

  private static void checkFungibility(Field fungibility, ValidationResult findings) {
    Field preference = fungibility.child("preference");
    boolean triesAll =
        fungibility.child("whenCanBorrow").text().orElse("").equals(TRY_NEXT)
            && fungibility.child("whenCanPreempt").text().orElse(TRY_NEXT).equals(TRY_NEXT);
    if (preference.isPresent() && !triesAll) {
      findings.add(
          FieldError.invalid(
              preference,
              "has a meaning only while whenCanBorrow and whenCanPreempt are TryNextFlavor"));
    }
  }
}
