package dev.sluice.quota.queue;

import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.world.QueueRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue with the workloads that wait in it; immutable.
 *
 * @param blocked what the head of a StrictFIFO queue waits for; it blocks the queue until that
 *     happens or the queue changes; null if the next cycle must consider the head
 */
public record QueueEntry(
    QueueRules rules,
    List<Inactivity> inactivity,
    PendingQueue waiting,
    @Nullable Interest blocked) {
  /** A queue whose head must be considered. */
  public QueueEntry(QueueRules rules, List<Inactivity> inactivity, PendingQueue waiting) {
    this(rules, inactivity, waiting, null);
  }

  public boolean active() {
    return inactivity.isEmpty();
  }

  /** Whether the next cycle must consider its head. */
  boolean ready() {
    return active() && blocked == null && waiting.hasPending();
  }

  public QueueEntry with(PendingQueue other) {
    return new QueueEntry(rules, inactivity, other);
  }

  /** The same queue by other rules; what its head waits for is the same until it is woken. */
  public QueueEntry with(QueueRules otherRules, List<Inactivity> otherInactivity) {
    return new QueueEntry(otherRules, otherInactivity, waiting, blocked);
  }

  QueueEntry blockedUntil(Interest interest) {
    return new QueueEntry(rules, inactivity, waiting, interest);
  }

  QueueEntry unblocked() {
    return new QueueEntry(rules, inactivity, waiting);
  }
}
