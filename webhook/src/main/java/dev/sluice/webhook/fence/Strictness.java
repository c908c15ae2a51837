package dev.sluice.webhook.fence;

import dev.sluice.quota.tree.NodeName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * In which trees of quotas the fence counts no more reservations that the view does not confirm.
 *
 * <p>They can be made up. So once one stands in the way of another, no more of them are counted in
 * that tree for a while, and those that are counted end within {@link UnseenReservations#UNCONFIRMED}: that
 * is the longest time for which what was made up can keep quota from anybody. For one thread at a
 * time.
 */
final class Strictness {
  static final Duration LASTS = Duration.ofSeconds(10);

  private final Map<NodeName, Long> since = new HashMap<>();

  /** Something unconfirmed stands in the way in the tree of that root. */
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
