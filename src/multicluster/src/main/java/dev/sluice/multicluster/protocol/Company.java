package dev.sluice.multicluster.protocol;

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

  /** Another one has replaced it, or will once it has quota. */
  record Replaced() implements Company {}
}
