package dev.sluice.webhook.rules.check;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RequiredSpec;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.webhook.rules.references.References;
import java.util.Map;

/** Rules of AdmissionChecks: a controller is named, and known controllers have their parameters. */
public final class AdmissionCheckRules implements AdmissionRules {
  /** What the controllers that come with the API take as parameters. */
  private static final Map<String, ApiKind> PARAMETERS =
      Map.of(
          Controllers.MULTI_KUEUE, ApiKind.MULTI_KUEUE_CONFIG,
          Controllers.PROVISIONING_REQUEST, ApiKind.PROVISIONING_REQUEST_CONFIG);

  @Override
  public void check(RuleInput input, ValidationResult findings) {
    if (RequiredSpec.isKept(input, "its controller", findings)) {
      Ratchet.check(input, findings, AdmissionCheckRules::checkSpec);
      if (!input.hasSameSpec()) {
        warnOfParameters(input, findings);
      }
    }
  }

  private static void checkSpec(Field root, ValidationResult findings) {
    RequiredSpec.isPresent(
        root, "controllerName", "the name of the controller that does the check", findings);
  }

  private static void warnOfParameters(RuleInput input, ValidationResult findings) {
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
