package dev.sluice.quota.queue;

import dev.sluice.quota.amount.FlavorResource;
import java.util.Set;

/**
 * Which events of others re-open a verdict.
 *
 * @param pairs whose release in the tree may help
 * @param namespace whether a change of the namespace may help
 */
public record Interest(Set<FlavorResource> pairs, boolean namespace) {
  /** Only a change of the workload itself, of its queue or of the clock helps. */
  public static final Interest NONE = new Interest(Set.of(), false);

  /** A change of the namespace helps. */
  public static final Interest NAMESPACE = new Interest(Set.of(), true);

  public Interest {
    pairs = Set.copyOf(pairs);
  }

  /** The release of one of these helps. */
  public static Interest in(Set<FlavorResource> pairs) {
    return new Interest(pairs, false);
  }

  boolean anyOf(Set<FlavorResource> released) {
    for (FlavorResource pair : released) {
      if (pairs.contains(pair)) {
        return true;
      }
    }
    return false;
  }
}
