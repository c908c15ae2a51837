package dev.sluice.quota;

import dev.sluice.quota.queue.PendingQueue;
import dev.sluice.quota.world.QueueRules;
import java.util.List;

/** A ClusterQueue with who waits in it; immutable. */
record QueueEntry(QueueRules rules, List<Inactivity> inactivity, PendingQueue waiting) {
  boolean active() {
    return inactivity.isEmpty();
  }

  QueueEntry with(PendingQueue other) {
    return new QueueEntry(rules, inactivity, other);
  }

  QueueEntry with(List<Inactivity> other) {
    return new QueueEntry(rules, other, waiting);
  }
}
