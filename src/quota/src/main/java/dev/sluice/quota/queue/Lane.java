package dev.sluice.quota.queue;

/**
 * Workloads of one queue that get the same verdict, as a number for their shape; where LocalQueues
 * share fairly, those of one LocalQueue, otherwise of all.
 */
public record Lane(String localQueue, int shape) implements Comparable<Lane> {
  @Override
  public int compareTo(Lane other) {
    int byQueue = localQueue.compareTo(other.localQueue);
    return byQueue != 0 ? byQueue : Integer.compare(shape, other.shape);
  }
}
