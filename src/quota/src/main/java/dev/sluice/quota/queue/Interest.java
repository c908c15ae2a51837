package dev.sluice.quota.queue;

import dev.sluice.quota.amount.FlavorResource;
import java.util.Collections;
import java.util.Set;

/**
 * Which events of others re-open a verdict.
 *
 * @param pairs whose release in the tree may help
 * @param namespace whether a change of the namespace may help
 * @param rooms the flavors in whose domains more room may help
 */
public record Interest(Set<FlavorResource> pairs, boolean namespace, Set<String> rooms) {
  /** Only a change of the workload itself, of its queue or of the clock helps. */
  public static final Interest NONE = new Interest(Set.of(), false, Set.of());

  /** A change of the namespace helps. */
  public static final Interest NAMESPACE = new Interest(Set.of(), true, Set.of());

  public Interest {
    pairs = Set.copyOf(pairs);
    rooms = Set.copyOf(rooms);
  }

  /** The release of one of these helps. */
  public static Interest in(Set<FlavorResource> pairs) {
    return in(pairs, Set.of());
  }

  /** The release of one of these helps, and more room in the domains of one of the flavors. */
  public static Interest in(Set<FlavorResource> pairs, Set<String> rooms) {
    return new Interest(pairs, false, rooms);
  }

  boolean inAnyRoom(Set<String> flavors) {
    return !Collections.disjoint(rooms, flavors);
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
