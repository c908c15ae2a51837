package dev.sluice.webhook.fence;

import dev.sluice.quota.tree.NodeName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The quota trees in which the fence does not count unconfirmed reservations.
 *
 * <p>An unconfirmed reservation can be forged. So once one blocks another reservation, no new ones
 * count in that tree for a while, and the counted ones expire within {@link
 * UnseenReservations#UNCONFIRMED}: that is the longest time for which forged reviews can block
 * quota. For one thread at a time.
 */
final class Strictness {
  static final Duration LASTS = Duration.ofSeconds(10);

  private final Map<NodeName, Long> since = new HashMap<>();

  /** An unconfirmed reservation blocks another one in the tree of that root. */
  void begin(NodeName root, long now) {
    forget(now);
    since.putIfAbsent(root, now);
  }

  boolean holds(NodeName root, long now) {
    forget(now);
    return since.containsKey(root);
  }

  private void forget(long now) {
    since.values().removeIf(began -> now - began > LASTS.toNanos());
  }
}
