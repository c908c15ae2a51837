package dev.sluice.quota.request;

/**
 * What the pods of one set take together.
 *
 * @param name the pod set
 * @param count how many pods that is
 * @param total the amounts of all of them
 */
public record PodSetRequests(String name, int count, Requests total) {
  /** The resource that counts pods, which each pod asks for where a queue has quota of it. */
  public static final String PODS = "pods";

  /** Refuses a number of pods below zero. */
  public PodSetRequests {
    if (count < 0) {
      throw new IllegalArgumentException(count + " pods (expected: 0 or more)");
    }
  }

  /**
   * The same set with another number of pods. What one pod takes is the total divided by the
   * present number, towards zero; a set without pods stays as it is, since the request of one pod
   * is unknown.
   */
  public PodSetRequests scaledTo(int newCount) {
    return count == 0 || count == newCount
        ? this
        : new PodSetRequests(name, newCount, total.dividedBy(count).times(newCount));
  }

  /** The same set that also takes one of {@code pods} for each pod. */
  public PodSetRequests countingPods() {
    return new PodSetRequests(name, count, total.with(PODS, count));
  }
}
