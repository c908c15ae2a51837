package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import dev.sluice.conversion.step.Difference;
import dev.sluice.conversion.step.VersionStep;
import java.util.List;

/**
 * Topology: all versions have the same shape; only levels at the wrong place have to be seen to.
 */
final class TopologySteps {
  private static final List<Difference> SAME_SHAPE = List.of(new RootLevels());

  static final List<VersionStep> ALL =
      List.of(
          new VersionStep(V1ALPHA1, V1BETA1, SAME_SHAPE),
          new VersionStep(V1BETA1, V1BETA2, SAME_SHAPE));

  private TopologySteps() {}
}
