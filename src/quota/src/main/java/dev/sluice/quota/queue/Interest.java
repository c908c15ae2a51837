package dev.sluice.quota.queue;

import dev.sluice.quota.amount.FlavorResource;
import java.util.Collections;
import java.util.Set;

/**
 * The events that make a refused workload pending again.
 *
 * @param pairs whose release in the tree may help, or an edit of their quotas
 * @param shares whether the release of any pair may help, because shares decide preemption; then an
 *     edit of weights may help, too
 * @param namespace whether a change of the namespace may help
 * @param rooms the flavors in whose domains more room may help
 */
public record Interest(
    Set<FlavorResource> pairs, boolean shares, boolean namespace, Set<String> rooms) {
  /** Only a change of the workload itself, of its queue or of the clock helps. */
  public static final Interest NONE = new Interest(Set.of(), false, false, Set.of());

  /** A change of the namespace helps. */
  public static final Interest NAMESPACE = new Interest(Set.of(), false, true, Set.of());

  public Interest {
    pairs = Set.copyOf(pairs);
    rooms = Set.copyOf(rooms);
  }

  /** The release of one of these helps. */
  public static Interest in(Set<FlavorResource> pairs) {
    return new Interest(pairs, false, false, Set.of());
  }

  /** Also what changes shares helps. */
  public Interest andShares() {
    return new Interest(pairs, true, namespace, rooms);
  }

  /** Also a change of the namespace helps. */
  public Interest andNamespace() {
    return new Interest(pairs, shares, true, rooms);
  }

  /** Also more room in the domains of one of the flavors helps. */
  public Interest andRooms(Set<String> flavors) {
    return new Interest(pairs, shares, namespace, flavors);
  }

  /** Whether it is about how requests are served, so that policies of its queue matter. */
  public boolean inQuota() {
    return shares || !pairs.isEmpty() || !rooms.isEmpty();
  }

  /** Whether the release of one of these helps. */
  public boolean inAny(Set<FlavorResource> released) {
    return shares || !Collections.disjoint(pairs, released);
  }

  /** Whether more room in the domains of one of those helps. */
  public boolean inAnyRoom(Set<String> flavors) {
    return !Collections.disjoint(rooms, flavors);
  }
}
