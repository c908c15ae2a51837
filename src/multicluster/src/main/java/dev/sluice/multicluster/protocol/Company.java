package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/** What other Workloads of the same job mean for where this one runs. */
public sealed interface Company {
  /** It goes wherever it is admitted first. */
  record Alone() implements Company {}

  /**
   * It goes where another one of its job is.
   *
   * @param cluster empty while that one has no cluster
   */
  record Follow(String cluster) implements Company {}

  /** It is not offered yet, for that reason. */
  record WaitFor(String what) implements Company {}

  /** A slice of an elastic job that another one has replaced, which takes its job over. */
  record Replaced() implements Company {}

  /**
   * A slice of an elastic job that takes the job over from the slice that it replaced.
   *
   * @param cluster where the job runs
   * @param slices the names of the Workloads that the job there may have been given to
   */
  record TakeOver(String cluster, Set<String> slices) implements Company {
    public TakeOver {
      requireNonNull(cluster, "cluster");
      slices = Set.copyOf(slices);
    }
  }
}
