package dev.sluice.webhook.rules.multikueue;

import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.names.Subdomain;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RequiredSpec;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import dev.sluice.webhook.rules.references.References;

/**
 * What a MultiKueueConfig must be: a list of clusters. A name that leads nowhere is a warning, for
 * the others still do.
 */
public final class MultiKueueConfigRules implements AdmissionRules {
  private static final int MAX_CLUSTERS = 256;

  @Override
  public void check(RuleInput input, ValidationResult findings) {
    if (RequiredSpec.isKept(input, "its clusters", findings)) {
      Ratchet.check(input, findings, MultiKueueConfigRules::checkSpec);
      if (!input.hasSameSpec()) {
        warnOfUse(input, findings);
      }
    }
  }

  private static void checkSpec(Field root, ValidationResult findings) {
    RequiredSpec.isPresent(root, "clusters", "the names of 1 to 20 clusters", findings);
  }

  private static Iterable<Field> clusters(Field root) {
    return root.child("spec").child("clusters").items(MAX_CLUSTERS);
  }

  private static void warnOfName(Field cluster, ValidationResult findings) {
    if (cluster.text().filter(it -> !Subdomain.problems(it).isEmpty()).isPresent()) {
      findings.warn(
          "%s: no MultiKueueCluster can have the name %s"
              .formatted(cluster.path(), ValueText.of(cluster.node())));
    }
  }

  private static void warnOfUse(RuleInput input, ValidationResult findings) {
    References references = References.of(input);
    for (Field cluster : clusters(input.root())) {
      warnOfName(cluster, findings);
      references.warnIfMissing(
          cluster, ApiKind.MULTI_KUEUE_CLUSTER, "no job is sent there until it exists", findings);
    }
    Field management = input.root().child("spec").child("quotaManagement");
    if (management.text().orElse("").equals("Automated")
        && !input.world().settings().isOn(FeatureGate.MULTI_KUEUE_MANAGER_QUOTA_AUTOMATION)) {
      findings.warn(
          management.path()
              + ": has no effect while the feature gate "
              + FeatureGate.MULTI_KUEUE_MANAGER_QUOTA_AUTOMATION
              + " is off");
    }
  }
}
