package dev.sluice.api.workload;

import java.util.List;

/**
 * How much a topology assignment stands for, computed in the size of what is stored and without
 * making one object per domain or per pod. Sums that do not fit stay at {@link Long#MAX_VALUE}.
 *
 * @param domains the sum of what the slices say of their domains
 * @param pods the pods in all of them
 */
public record TopologyAssignmentSize(long domains, long pods) {
  /**
   * The most domains that an assignment of one pod set can have. It is the bound on each list of a
   * slice in the schema, and twenty times the nodes that a Kubernetes cluster supports. This is the
   * one bound on everything that expands an assignment.
   */
  public static final int MAX_DOMAINS = 100_000;

  /** The size of the assignment; what is less than nothing counts as nothing. */
  public static TopologyAssignmentSize of(TopologyAssignment assignment) {
    long domains = 0;
    long pods = 0;
    for (TopologyAssignmentSlice slice : assignment.slices()) {
      domains = plus(domains, Math.max(0, slice.domainCount()));
      pods = plus(pods, pods(slice));
    }
    return new TopologyAssignmentSize(domains, pods);
  }

  /** The pods of one slice. */
  public static long pods(TopologyAssignmentSlice slice) {
    Integer universal = slice.podCounts().universal();
    if (universal != null) {
      return Math.max(0L, universal) * Math.max(0L, slice.domainCount()); // fits: two ints
    }
    List<Integer> individual = slice.podCounts().individual();
    long pods = 0;
    for (int i = 0; i < Math.min(individual.size(), slice.domainCount()); i++) {
      pods += Math.max(0, individual.get(i));
    }
    return pods;
  }

  private static long plus(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
