package dev.sluice.lifecycle.provisioning;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.check.AdmissionCheckParametersReference;
import dev.sluice.api.check.ProvisioningRequestConfig;
import dev.sluice.api.check.ProvisioningRequestConfigSpec;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Reasons;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Whether an AdmissionCheck can ask for nodes. */
public sealed interface CheckActivity {
  /**
   * It can.
   *
   * @param config how it asks
   */
  record Active(ProvisioningRequestConfigSpec config) implements CheckActivity {}

  /**
   * It cannot be used.
   *
   * @param reason a word of {@link Reasons}
   * @param message a sentence that says what is missing
   */
  record Inactive(String reason, String message) implements CheckActivity {}

  /** Whether the check is one of this controller. */
  static boolean isOurs(AdmissionCheck check) {
    return check.spec().controllerName().equals(Controllers.PROVISIONING_REQUEST);
  }

  /**
   * The activity of a check of this controller.
   *
   * @param isServed whether the API server has the kind of ProvisioningRequests
   * @param configs finds configurations by their names
   */
  static CheckActivity of(
      AdmissionCheck check,
      boolean isServed,
      Function<String, Optional<ProvisioningRequestConfig>> configs) {
    if (!isServed) {
      return new Inactive(
          Reasons.PROVISIONING_REQUESTS_NOT_SERVED,
          "The API server does not serve "
              + ProvisioningKinds.REQUEST
              + " (expected: the CustomResourceDefinition of the cluster autoscaler)");
    }
    AdmissionCheckParametersReference parameters = check.spec().parameters();
    ApiKind kind = ApiKind.PROVISIONING_REQUEST_CONFIG;
    if (parameters == null
        || !parameters.apiGroup().equals(ApiVersion.GROUP)
        || !parameters.kind().equals(kind.kind())) {
      return new Inactive(
          Reasons.BAD_PARAMETERS_REF,
          "spec.parameters does not name a %s (expected: one of %s)"
              .formatted(kind.kind(), ApiVersion.GROUP));
    }
    return configs
        .apply(parameters.name())
        .<CheckActivity>map(config -> new Active(config.spec()))
        .orElseGet(
            () ->
                new Inactive(
                    Reasons.BAD_PARAMETERS_REF,
                    "%s %s does not exist".formatted(kind.kind(), parameters.name())));
  }

  /** The conditions of the check with that state. */
  default List<Condition> in(AdmissionCheck check, Instant now) {
    Long generation = check.metadata().generation();
    Condition told =
        switch (this) {
          case Active _ ->
              new Condition(
                  ConditionTypes.ACTIVE,
                  ConditionStatus.TRUE,
                  generation,
                  now,
                  ConditionTypes.ACTIVE,
                  "The admission check is active");
          case Inactive(var reason, var message) ->
              new Condition(
                  ConditionTypes.ACTIVE, ConditionStatus.FALSE, generation, now, reason, message);
        };
    return Conditions.with(check.status().conditions(), told);
  }
}
