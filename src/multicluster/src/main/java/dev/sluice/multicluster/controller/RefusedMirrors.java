package dev.sluice.multicluster.controller;

import dev.sluice.api.meta.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The Workloads whose jobs here cannot get the status of those on the worker, as the API server
 * refuses it. The next status may be another one, so it is tried again with backoff. Thread-safe.
 */
final class RefusedMirrors {
  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LAST = Duration.ofMinutes(1);

  private record Refusal(int times, Instant until) {}

  private final Map<ObjectKey, Refusal> refusals = new ConcurrentHashMap<>();

  /** The API server refused a status. */
  void refused(ObjectKey workload, Instant now) {
    refusals.compute(
        workload,
        (_, before) -> {
          int times = before == null ? 1 : before.times() + 1;
          return new Refusal(times, now.plus(pause(times)));
        });
  }

  /** Two, four, eight seconds and so on, at most a minute. */
  static Duration pause(int times) {
    Duration pause = FIRST.multipliedBy(1L << Math.clamp(times - 1, 0, 5));
    return pause.compareTo(LAST) < 0 ? pause : LAST;
  }

  /** Until when no status is tried; empty if one may be tried now. */
  Optional<Instant> until(ObjectKey workload, Instant now) {
    return Optional.ofNullable(refusals.get(workload)).map(Refusal::until).filter(now::isBefore);
  }

  /** The API server took a status, or the Workload is gone. */
  void forget(ObjectKey workload) {
    refusals.remove(workload);
  }
}
