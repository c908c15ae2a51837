package dev.sluice.quota.request;

import dev.sluice.api.core.LimitRange;
import java.util.List;

/**
 * What the LimitRanges of a namespace say.
 *
 * @param container for each container
 * @param pod for a pod as a whole
 */
public record NamespaceLimits(LimitSummary container, LimitSummary pod) {
  /** A namespace without LimitRanges. */
  public static final NamespaceLimits NONE =
      new NamespaceLimits(LimitSummary.NONE, LimitSummary.NONE);

  /** All LimitRanges of one namespace, in an order that does not change. */
  public static NamespaceLimits of(List<LimitRange> ranges) {
    return new NamespaceLimits(
        LimitSummary.of(ranges, "Container"), LimitSummary.of(ranges, "Pod"));
  }
}
