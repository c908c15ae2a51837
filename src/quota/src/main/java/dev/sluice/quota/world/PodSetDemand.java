package dev.sluice.quota.world;

import dev.sluice.quota.amount.Amounts;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the pods of one PodSet ask for, after all adjustments and transformations (reference: 1.5,
 * 1.6, 1.9).
 *
 * @param count the pods that still need quota
 * @param minCount the fewest pods it can start with; {@code count} where it needs all of them
 * @param perPod units of each resource that one pod asks for, at least 0
 */
public record PodSetDemand(String name, int count, int minCount, Map<String, Long> perPod) {
  public PodSetDemand {
    perPod = Collections.unmodifiableMap(new TreeMap<>(perPod));
  }

  /** What that many of its pods ask for together, by resource. */
  public SortedMap<String, Long> total(int pods) {
    SortedMap<String, Long> total = new TreeMap<>(perPod);
    total.replaceAll((_, amount) -> Amounts.times(amount, pods));
    return total;
  }
}
