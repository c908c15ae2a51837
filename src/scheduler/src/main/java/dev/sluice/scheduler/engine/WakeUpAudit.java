package dev.sluice.scheduler.engine;

import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Audits one ClusterQueue after the other at intervals, as far as only the engine's thread may read
 * it. Not thread-safe.
 */
final class WakeUpAudit {
  private static final Duration BETWEEN = Duration.ofMillis(250);

  private Iterator<String> left = Collections.emptyIterator();
  private long last;

  WakeUpAudit(long nanoTime) {
    this.last = nanoTime;
  }

  /** The laws that the next ClusterQueue breaks, if it is time for one. */
  List<String> next(QuotaEngine engine, Snapshot snapshot, long nanoTime) {
    if (nanoTime - last < BETWEEN.toNanos()) {
      return List.of();
    }
    last = nanoTime;
    if (!left.hasNext()) {
      left = snapshot.clusterQueues().iterator();
    }
    return left.hasNext() ? engine.auditWakeUps(left.next()) : List.of();
  }
}
