package dev.sluice.webhook.rules.multikueue;

import dev.sluice.api.names.Subdomain;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RequiredSpec;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;

/** What a MultiKueueCluster must be: one way to reach it, by a name that can exist. */
public final class MultiKueueClusterRules implements AdmissionRules {
  @Override
  public void check(RuleInput input, ValidationResult findings) {
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

  private static void checkSpec(Field root, ValidationResult findings) {
    if (!RequiredSpec.isPresent(root, "clusterSource", "the way to the cluster", findings)) {
      return;
    }
    Field source = source(root);
    if (source.child("kubeConfig").isPresent() && source.child("clusterProfileRef").isPresent()) {
      findings.add(
          FieldError.invalid(source, "must have kubeConfig or clusterProfileRef, not both"));
    }
  }

  private static void warnOfLocation(Field kubeConfig, ValidationResult findings) {
    Field location = kubeConfig.child("location");
    boolean secret = kubeConfig.child("locationType").text().orElse("Secret").equals("Secret");
    String name = location.text().orElse("");
    if (secret && !name.isEmpty() && !Subdomain.problems(name).isEmpty()) {
      findings.warn(
          "%s: no Secret can have the name %s".formatted(location.path(), ValueText.quoted(name)));
    }
  }
}
