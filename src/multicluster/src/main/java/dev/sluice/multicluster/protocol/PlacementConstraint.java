package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/** What other Workloads of the same job mean for where this one runs. */
public sealed interface PlacementConstraint {
  /** It goes wherever it is admitted first. */
  record Unconstrained() implements PlacementConstraint {}

  /**
   * It goes where another one of its job is.
   *
   * @param cluster empty while that one has no cluster
   */
  record Follow(String cluster) implements PlacementConstraint {}

  /** It is not offered yet, for that reason. */
  record WaitFor(String what) implements PlacementConstraint {}

  /** A slice of an elastic job that another one has replaced, which takes its job over. */
  record Replaced() implements PlacementConstraint {}

  /**
   * A slice of an elastic job that takes the job over from the slice that it replaced.
   *
   * @param cluster where the job runs
   * @param slices the names of the Workloads that the job there may have been given to
   */
  record TakeOver(String cluster, Set<String> slices) implements PlacementConstraint {
    public TakeOver {
      requireNonNull(cluster, "cluster");
      slices = Set.copyOf(slices);
    }
  }
}
