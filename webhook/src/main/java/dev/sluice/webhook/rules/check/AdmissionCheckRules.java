package dev.sluice.webhook.rules.check;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.webhook.rules.AdmissionRules;
import dev.sluice.webhook.rules.Field;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.Ratchet;
import dev.sluice.webhook.rules.RequiredSpec;
import dev.sluice.webhook.rules.RuleInput;
import dev.sluice.webhook.rules.references.References;
import java.util.Map;

/** What an AdmissionCheck must be: somebody does it, and a known one has what it needs. */
public final class AdmissionCheckRules implements AdmissionRules {
  /** What the controllers that come with the API take as parameters. */
  private static final Map<String, ApiKind> PARAMETERS =
      Map.of(
          "kueue.x-k8s.io/multikueue", ApiKind.MULTI_KUEUE_CONFIG,
          "kueue.x-k8s.io/provisioning-request", ApiKind.PROVISIONING_REQUEST_CONFIG);

  @Override
  public void check(RuleInput input, Findings findings) {
    if (RequiredSpec.isKept(input, "its controller", findings)) {
      Ratchet.check(input, findings, AdmissionCheckRules::checkSpec);
      if (!input.hasSameSpec()) {
        warnOfParameters(input, findings);
      }
    }
  }

  private static void checkSpec(Field root, Findings findings) {
    RequiredSpec.isPresent(
        root, "controllerName", "the name of the controller that does the check", findings);
  }

  private static void warnOfParameters(RuleInput input, Findings findings) {
    Field spec = input.root().child("spec");
    ApiKind kind = PARAMETERS.get(spec.child("controllerName").text().orElse(""));
    if (kind == null) {
      return;
    }
    Field parameters = spec.child("parameters");
    boolean fits =
        parameters.child("apiGroup").text().orElse("").equals(ApiVersion.GROUP)
            && parameters.child("kind").text().orElse("").equals(kind.kind());
    if (fits) {
      References.of(input)
          .warnIfMissing(
              parameters.child("name"), kind, "the check is inactive until it exists", findings);
    } else {
      findings.warn(
          "%s: this controller needs a %s of %s, so the check stays inactive"
              .formatted(parameters.path(), kind, ApiVersion.GROUP));
    }
  }
}
