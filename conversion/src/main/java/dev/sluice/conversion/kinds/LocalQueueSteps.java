package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.conversion.step.VersionStep;
import java.util.List;

/**
 * LocalQueue: the usage by flavor got a plural, and the description of flavors is no longer there.
 */
final class LocalQueueSteps {
  private static final List<String> STATUS = List.of("status");

  static final List<VersionStep> ALL =
      List.of(
          new VersionStep(
              V1BETA1,
              V1BETA2,
              List.of(
                  FieldConversion.renamed("flavorsUsage", STATUS, "flavorUsage", "flavorsUsage"),
                  FieldConversion.derivedOnlyInOlder("flavors", STATUS))));

  private LocalQueueSteps() {}
}
