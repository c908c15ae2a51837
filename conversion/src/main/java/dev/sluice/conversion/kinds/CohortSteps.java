package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import dev.sluice.conversion.step.Contradiction;
import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.conversion.step.VersionStep;
import java.util.List;

/**
 * Cohort: the parent got a longer name after v1alpha1, and v1beta2 has no status of admission fair
 * sharing. A parent must never be lost: its cohort would become the root of a tree of its own, with
 * other limits.
 */
final class CohortSteps {
  static final List<VersionStep> ALL =
      List.of(
          new VersionStep(
              V1ALPHA1,
              V1BETA1,
              List.of(
                  new Contradiction("spec", "parent", "parentName"),
                  FieldConversion.renamed("parent", List.of("spec"), "parent", "parentName"))),
          new VersionStep(
              V1BETA1,
              V1BETA2,
              List.of(
                  FieldConversion.derivedOnlyInOlder(
                      "admissionFairSharingStatus", List.of("status", "fairSharing")))));

  private CohortSteps() {}
}
