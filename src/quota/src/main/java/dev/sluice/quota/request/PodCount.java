package dev.sluice.quota.request;

import org.jspecify.annotations.Nullable;

/**
 * How many pods fit.
 *
 * @param pods the number, at most 2<sup>31</sup>-1
 * @param limiting the scarcest resource, of equals the first by name; null for an empty request
 */
public record PodCount(int pods, @Nullable String limiting) {
  /**
   * How many pods of this request fit into a capacity, by the scarcest resource. A request of zero
   * always fits, a missing or negative capacity never; a request without any resource fits no pod.
   */
  public static PodCount in(Requests request, Requests capacity) {
    if (request.isEmpty()) {
      return new PodCount(0, null);
    }
    int fewest = fitting(request, 0, capacity);
    int scarcest = 0;
    for (int i = 1; i < request.size(); i++) {
      int fitting = fitting(request, i, capacity);
      if (fitting < fewest) {
        fewest = fitting;
        scarcest = i;
      }
    }
    return new PodCount(fewest, request.resource(scarcest));
  }

  private static int fitting(Requests request, int index, Requests capacity) {
    long wanted = request.amount(index);
    return wanted == 0
        ? Integer.MAX_VALUE
        : Math.clamp(capacity.amount(request.resource(index)) / wanted, 0, Integer.MAX_VALUE);
  }
}
