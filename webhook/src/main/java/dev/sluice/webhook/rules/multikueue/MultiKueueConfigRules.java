package dev.sluice.webhook.rules.multikueue;

import dev.sluice.api.ApiKind;
import dev.sluice.api.names.Subdomain;
import dev.sluice.webhook.rules.AdmissionRules;
import dev.sluice.webhook.rules.Field;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.Ratchet;
import dev.sluice.webhook.rules.RequiredSpec;
import dev.sluice.webhook.rules.RuleInput;
import dev.sluice.webhook.rules.Violation;
import dev.sluice.webhook.rules.references.References;
import dev.sluice.webhook.settings.Gate;

/** What a MultiKueueConfig must be: clusters by names that a MultiKueueCluster can have. */
public final class MultiKueueConfigRules implements AdmissionRules {
  private static final int MAX_CLUSTERS = 256;

  @Override
  public void check(RuleInput input, Findings findings) {
    if (RequiredSpec.isKept(input, "its clusters", findings)) {
      Ratchet.check(input, findings, MultiKueueConfigRules::checkSpec);
      if (!input.hasSameSpec()) {
        warnOfUse(input, findings);
      }
    }
  }

  private static void checkSpec(Field root, Findings findings) {
    if (RequiredSpec.isPresent(root, "clusters", "the names of 1 to 20 clusters", findings)) {
      for (Field cluster : clusters(root)) {
        cluster
            .text()
            .map(Subdomain::problems)
            .ifPresent(
                problems ->
                    problems.forEach(
                        problem ->
                            findings.add(
                                Violation.invalid(
                                    cluster, "must be the name of a cluster: " + problem))));
      }
    }
  }

  private static Iterable<Field> clusters(Field root) {
    return root.child("spec").child("clusters").items(MAX_CLUSTERS);
  }

  private static void warnOfUse(RuleInput input, Findings findings) {
    References references = References.of(input);
    for (Field cluster : clusters(input.root())) {
      references.warnIfMissing(
          cluster, ApiKind.MULTI_KUEUE_CLUSTER, "no job is sent there until it exists", findings);
    }
    Field management = input.root().child("spec").child("quotaManagement");
    if (management.text().orElse("").equals("Automated")
        && !input.world().settings().isOn(Gate.QUOTA_AUTOMATION)) {
      findings.warn(
          management.path()
              + ": has no effect while the feature gate "
              + Gate.QUOTA_AUTOMATION.text()
              + " is off");
    }
  }
}
