package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import dev.sluice.conversion.law.Matter;
import dev.sluice.conversion.law.Step;
import java.util.List;

/**
 * LocalQueue: the usage by flavor got a plural, and the description of flavors is no longer there.
 */
final class LocalQueueSteps {
  private static final List<String> STATUS = List.of("status");

  static final List<Step> ALL =
      List.of(
          new Step(
              V1BETA1,
              V1BETA2,
              List.of(
                  Matter.renamed("flavorsUsage", STATUS, "flavorUsage", "flavorsUsage"),
                  Matter.derivedOnlyInOlder("flavors", STATUS))));

  private LocalQueueSteps() {}
}
