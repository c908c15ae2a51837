package dev.sluice.quota.topology.capacity;

import dev.sluice.quota.request.Requests;

/**
 * Pods that have to be together in one domain.
 *
 * @param pods how many they are; 1 or more
 * @param each what each of them requests, without its place among the {@code pods} of a node
 */
public record Gang(int pods, Requests each) {
  public Gang {
    if (pods < 1) {
      throw new IllegalArgumentException("pods: " + pods + " (expected: 1 or more)");
    }
  }
}
