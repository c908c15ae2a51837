package dev.sluice.server.whatif;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.see.forecast.Course;
import dev.sluice.see.whatif.WhatIfResult.Delay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Two courses of the queues: without the changes of a simulation, and with them. */
record Forward(Course.Played without, Course.Played with) {
  /** The time up to which the queues are known with the changes. */
  Instant until() {
    return with.until();
  }

  /** When the Workload gets quota with the changes; null for not within the time. */
  @Nullable Instant start(ObjectKey workload) {
    return start(with, workload);
  }

  private static @Nullable Instant start(Course.Played course, ObjectKey workload) {
    Optional<Instant> start = course.starts().get(workload);
    return start == null ? null : start.orElse(null);
  }

  /**
   * Those that get quota later than without the changes, or lose it on the way, in the order of
   * their names.
   *
   * @param others Workloads that the result names elsewhere
   */
  List<Delay> delayed(Snapshot before, Snapshot after, Set<ObjectKey> others) {
    Set<ObjectKey> keys = new TreeSet<>(without.starts().keySet());
    keys.addAll(with.starts().keySet());
    keys.removeAll(others);
    List<Delay> delayed = new ArrayList<>();
    for (ObjectKey key : keys) {
      Instant was = start(without, key);
      Instant starts = start(key);
      boolean waits = with.starts().containsKey(key) || !WhatIf.isRunning(key, after);
      if (was != null && waits && after.state(key) != null && isLater(was, starts)) {
        delayed.add(new Delay(key, was, false, starts));
      } else if (losesQuota(key, before)) {
        delayed.add(new Delay(key, null, false, starts));
      }
    }
    return delayed;
  }

  /** Without a start it is later only if that is known of the time until then. */
  private boolean isLater(Instant was, @Nullable Instant starts) {
    return starts == null ? with.until().isAfter(was) || with.whole() : starts.isAfter(was);
  }

  /** Whether it has quota, keeps it without the changes, and is evicted on the way with them. */
  private boolean losesQuota(ObjectKey workload, Snapshot before) {
    return WhatIf.isRunning(workload, before)
        && without.whole()
        && !without.starts().containsKey(workload)
        && with.starts().containsKey(workload);
  }
}
