package dev.sluice.webhook.rules.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.names.LabelKey;
import dev.sluice.webhook.rules.AdmissionRules;
import dev.sluice.webhook.rules.Field;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.Ratchet;
import dev.sluice.webhook.rules.RequiredSpec;
import dev.sluice.webhook.rules.RuleInput;
import dev.sluice.webhook.rules.ValueText;
import java.util.List;

/** What a ProvisioningRequestConfig must be; a retry strategy that makes no sense is a warning. */
public final class ProvisioningRequestConfigRules implements AdmissionRules {
  private static final int MAX_RESOURCES = 100;

  @Override
  public void check(RuleInput input, Findings findings) {
    if (RequiredSpec.isKept(input, "its provisioning class", findings)) {
      Ratchet.check(input, findings, ProvisioningRequestConfigRules::checkSpec);
      if (!input.hasSameSpec()) {
        warnOfRetries(input.root().child("spec").child("retryStrategy"), findings);
        warnOfResources(input.root().child("spec").child("managedResources"), findings);
      }
    }
  }

  private static void checkSpec(Field root, Findings findings) {
    RequiredSpec.isPresent(
        root, "provisioningClassName", "the name of a provisioning class", findings);
  }

  private static void warnOfRetries(Field strategy, Findings findings) {
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

  private static void warnOfResources(Field resources, Findings findings) {
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
