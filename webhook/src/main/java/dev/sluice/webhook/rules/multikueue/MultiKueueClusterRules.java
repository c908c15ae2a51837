package dev.sluice.webhook.rules.multikueue;

import dev.sluice.api.names.Subdomain;
import dev.sluice.webhook.rules.AdmissionRules;
import dev.sluice.webhook.rules.Field;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.Ratchet;
import dev.sluice.webhook.rules.RequiredSpec;
import dev.sluice.webhook.rules.RuleInput;
import dev.sluice.webhook.rules.ValueText;
import dev.sluice.webhook.rules.Violation;

/** What a MultiKueueCluster must be: one way to reach it, by a name that can exist. */
public final class MultiKueueClusterRules implements AdmissionRules {
  @Override
  public void check(RuleInput input, Findings findings) {
    if (RequiredSpec.isKept(input, "the way to the cluster", findings)) {
      Ratchet.check(input, findings, MultiKueueClusterRules::checkSpec);
      if (!input.hasSameSpec()) {
        warnOfLocation(source(input.root()).child("kubeConfig"), findings);
      }
    }
  }

  private static Field source(Field root) {
    return root.child("spec").child("clusterSource");
  }

  private static void checkSpec(Field root, Findings findings) {
    if (!RequiredSpec.isPresent(root, "clusterSource", "the way to the cluster", findings)) {
      return;
    }
    Field source = source(root);
    if (source.child("kubeConfig").isPresent() && source.child("clusterProfileRef").isPresent()) {
      findings.add(
          Violation.invalid(source, "must have kubeConfig or clusterProfileRef, not both"));
    }
  }

  private static void warnOfLocation(Field kubeConfig, Findings findings) {
    Field location = kubeConfig.child("location");
    boolean secret = kubeConfig.child("locationType").text().orElse("Secret").equals("Secret");
    String name = location.text().orElse("");
    if (secret && !name.isEmpty() && !Subdomain.problems(name).isEmpty()) {
      findings.warn(
          "%s: no Secret can have the name %s".formatted(location.path(), ValueText.quoted(name)));
    }
  }
}
