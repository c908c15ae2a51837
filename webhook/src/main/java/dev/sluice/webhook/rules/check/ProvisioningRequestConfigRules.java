package dev.sluice.webhook.rules.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.names.LabelKey;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RequiredSpec;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import java.util.List;

/** What a ProvisioningRequestConfig must be; a retry strategy that makes no sense is a warning. */
public final class ProvisioningRequestConfigRules implements AdmissionRules {
  private static final int MAX_RESOURCES = 100;

  @Override
  public void check(RuleInput input, ValidationResult findings) {
    if (RequiredSpec.isKept(input, "its provisioning class", findings)) {
      Ratchet.check(input, findings, ProvisioningRequestConfigRules::checkSpec);
      if (!input.hasSameSpec()) {
        warnOfRetries(input.root().child("spec").child("retryStrategy"), findings);
        warnOfResources(input.root().child("spec").child("managedResources"), findings);
      }
    }
  }

  private static void checkSpec(Field root, ValidationResult findings) {
    RequiredSpec.isPresent(
        root, "provisioningClassName", "the name of a provisioning class", findings);
  }

  private static void warnOfRetries(Field strategy, ValidationResult findings) {
    for (String name : List.of("backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds")) {
      Field value = strategy.child(name);
      if (value.node().isNumber() && value.node().asDouble() < 0) {
        findings.warn(value.path() + ": negative, so it is not clear when retries happen");
      }
    }
    JsonNode base = strategy.child("backoffBaseSeconds").node();
    JsonNode max = strategy.child("backoffMaxSeconds").node();
    if (base.isNumber() && max.isNumber() && base.asDouble() > max.asDouble()) {
      findings.warn(
          strategy.path()
              + ": backoffBaseSeconds is more than backoffMaxSeconds, which is then waited each"
              + " time");
    }
  }

  private static void warnOfResources(Field resources, ValidationResult findings) {
    for (Field resource : resources.items(MAX_RESOURCES)) {
      String name = resource.text().orElse("");
      if (!LabelKey.problems(name).isEmpty()) {
        findings.warn(
            "%s: no Pod can ask for a resource %s"
                .formatted(resource.path(), ValueText.quoted(name)));
      }
    }
  }
}
