package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.conversion.step.VersionStep;
import java.util.List;

/** The kinds between whose versions little or nothing differs. */
final class PlainSteps {
  private static final List<String> SPEC = List.of("spec");

  /** ResourceFlavor, ProvisioningRequestConfig, WorkloadPriorityClass: nothing differs. */
  static final List<VersionStep> SAME = List.of(new VersionStep(V1BETA1, V1BETA2, List.of()));

  /** AdmissionCheck: a delay that never had an effect is gone. */
  static final List<VersionStep> ADMISSION_CHECK =
      List.of(
          new VersionStep(
              V1BETA1, V1BETA2, List.of(FieldConversion.onlyInOlder("retryDelayMinutes", SPEC))));

  /** MultiKueueConfig: who manages quota came with v1beta2. */
  static final List<VersionStep> MULTI_KUEUE_CONFIG =
      List.of(
          new VersionStep(
              V1BETA1,
              V1BETA2,
              List.of(FieldConversion.onlyInNewer("quotaManagement", SPEC, "quotaManagement"))));

  private PlainSteps() {}
}
