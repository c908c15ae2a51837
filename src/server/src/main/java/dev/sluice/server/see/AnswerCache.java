package dev.sluice.server.see;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Answers of an API server that hold for ten seconds. Keeps at most 4096 of them, and drops those
 * that were used the longest time ago. Thread-safe.
 *
 * @param <V> an answer
 */
final class AnswerCache<V> {
  private static final Duration KEPT = Duration.ofSeconds(10);
  private static final int MOST = 4_096;

  private record Known<V>(V value, long until) {}

  private final LongSupplier nanos;

  @GuardedBy("this")
  private final Map<String, Known<V>> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known<V>> eldest) {
          return size() > MOST;
        }
      };

  /** An empty cache; the clock counts nanoseconds. */
  AnswerCache(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The answer, if it still holds. */
  synchronized Optional<V> fresh(String key) {
    Known<V> found = known.get(key);
    return found == null || found.until() - nanos.getAsLong() <= 0
        ? Optional.empty()
        : Optional.of(found.value());
  }

  /** The last answer, whether it still holds or not. */
  synchronized Optional<V> last(String key) {
    return Optional.ofNullable(known.get(key)).map(Known::value);
  }

  synchronized void put(String key, V value) {
    known.put(key, new Known<>(value, nanos.getAsLong() + KEPT.toNanos()));
  }
}
