package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * The queue of a Workload on a worker: its namespace, its LocalQueue and the ClusterQueue of that,
 * as far as the rights there show them.
 */
public sealed interface QueueState {
  /** The rights do not show it, or it is being listed. */
  record Unknown() implements QueueState {}

  /**
   * The namespace is not there, or it goes.
   *
   * @param isTerminating whether it is being deleted
   */
  record NoNamespace(boolean isTerminating) implements QueueState {}

  /** The LocalQueue is not there. */
  record NoLocalQueue() implements QueueState {}

  /**
   * The LocalQueue or its ClusterQueue takes nothing.
   *
   * @param queue kind and name
   * @param why its message; empty if it has none
   */
  record NotActive(String queue, String why) implements QueueState {
    public NotActive {
      requireNonNull(queue, "queue");
      requireNonNull(why, "why");
    }
  }

  /**
   * Both are active.
   *
   * @param clusterQueue the name of the ClusterQueue
   * @param since when this process first saw that, by our clock
   * @param changed the same by the clock of the worker, as it writes times; it is compared with
   *     times of the same worker only
   */
  record Active(String clusterQueue, Instant since, String changed) implements QueueState {
    public Active {
      requireNonNull(clusterQueue, "clusterQueue");
      requireNonNull(since, "since");
      requireNonNull(changed, "changed");
    }
  }
}
