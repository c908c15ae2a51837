package dev.sluice.lifecycle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The times at which keys are reconciled again. A call that changes nothing and requests the same
 * delay again waits for an external event: it is not repeated, or a simulation would never end. For
 * one thread.
 *
 * @param <K> the keys
 */
final class Timers<K> {
  private record Timer(Instant due, Duration delay) {}

  private final Map<K, Timer> timers = new LinkedHashMap<>();
  private final Map<K, Duration> fired = new HashMap<>();

  /** The key was reconciled and is due at that time, or never. */
  void set(K key, Optional<Instant> again, boolean changed, Instant now) {
    Duration before = fired.remove(key);
    timers.remove(key);
    again
        .map(due -> new Timer(due, Duration.between(now, due)))
        .filter(timer -> changed || !timer.delay().equals(before))
        .ifPresent(timer -> timers.put(key, timer));
  }

  /** When the next one is due. */
  Optional<Instant> next() {
    return timers.values().stream().map(Timer::due).min(Instant::compareTo);
  }

  /** Removes and returns the keys that are due by that time. */
  List<K> take(Instant now) {
    List<K> due = new ArrayList<>();
    timers.forEach(
        (key, timer) -> {
          if (!timer.due().isAfter(now)) {
            due.add(key);
            fired.put(key, timer.delay());
          }
        });
    due.forEach(timers::remove);
    return due;
  }
}
