package dev.sluice.quota.topology.placement;

import dev.sluice.quota.topology.capacity.DomainCapacity;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The order in which domains of one level get pods: by the preference of the pods, then by the
 * number of slices they hold (most or fewest first), then those with the fewest pods, then by their
 * values.
 */
final class WorkerOrder {
  private final DomainCapacity counts;
  private final int level;
  private final boolean below;
  private final boolean leastFree;

  /**
   * @param below whether the level is below that of the slices, where only pods count
   * @param leastFree whether those with fewest slices come first
   */
  WorkerOrder(DomainCapacity counts, int level, boolean below, boolean leastFree) {
    this.counts = counts;
    this.level = level;
    this.below = below;
    this.leastFree = leastFree;
  }

  /** The domains that hold anything or take the leader, in order. */
  int[] sort(int[] domains) {
    int[] able = Arrays.stream(domains).filter(this::holdsAny).toArray();
    boolean oneKey = (below || !counts.sliced()) && !counts.likes();
    return oneKey ? byOneKey(able) : byAll(able);
  }

  private boolean holdsAny(int domain) {
    return counts.pods(level, domain) > 0 || counts.takesLeader(level, domain);
  }

  /** Slices are pods, or do not count: one number and the domain's own decide. */
  private int[] byOneKey(int[] domains) {
    long[] keys = new long[domains.length];
    boolean ascending = below || leastFree;
    for (int i = 0; i < keys.length; i++) {
      long pods = Math.min(counts.pods(level, domains[i]), Integer.MAX_VALUE);
      keys[i] = (ascending ? pods : Integer.MAX_VALUE - pods) << Integer.SIZE | domains[i];
    }
    Arrays.sort(keys);
    int[] order = new int[keys.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = (int) keys[i];
    }
    return order;
  }

  private int[] byAll(int[] domains) {
    Comparator<Integer> order = Comparator.comparingLong(d -> -counts.liking(level, d));
    if (!below) {
      order =
          order.thenComparingLong(
              d -> leastFree ? counts.slices(level, d) : -counts.slices(level, d));
    }
    order = order.thenComparingLong(d -> counts.pods(level, d)).thenComparingInt(d -> d);
    return Arrays.stream(domains).boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }
}
