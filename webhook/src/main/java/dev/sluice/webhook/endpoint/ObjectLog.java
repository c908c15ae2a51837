package dev.sluice.webhook.endpoint;

import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.ConversionWarning;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs objects with warnings, or slow to convert. An API server converts the same object
 * repeatedly, so a message about an object is logged once an hour, for a bounded number of objects.
 * Thread-safe.
 */
final class ObjectLog {
  /**
   * How long an object may take before it is worth a line: five times what an API server expects.
   */
  static final Duration SLOW = Duration.ofMillis(20);

  private static final Logger LOG = LoggerFactory.getLogger(ObjectLog.class);
  private static final int REMEMBERED = 1000;
  private static final long QUIET_NANOS = Duration.ofHours(1).toNanos();

  private final LongSupplier nanoTime;
  private final Map<Key, Long> logged =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record Key(String kind, String name, String what) {}

  ObjectLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Logs what is odd about an object. */
  void suspect(String uid, Outcome.Converted converted, ConversionWarning warning) {
    Key key = key(converted, warning.reason().label());
    if (isNews(key)) {
      LOG.atWarn()
          .addKeyValue("uid", uid)
          .addKeyValue("kind", key.kind())
          .addKeyValue("name", key.name())
          .addKeyValue("reason", key.what())
          .log("{} \"{}\": {}: {}", key.kind(), key.name(), warning.field(), warning.detail());
    }
  }

  /** Logs an object if converting it took long. */
  void took(String uid, Outcome.Converted converted, int bytes, long nanos) {
    if (nanos < SLOW.toNanos()) {
      return;
    }
    Key key = key(converted, "slow");
    if (isNews(key)) {
      LOG.atWarn()
          .addKeyValue("uid", uid)
          .addKeyValue("kind", key.kind())
          .addKeyValue("name", key.name())
          .addKeyValue("bytes", bytes)
          .addKeyValue("millis", nanos / 1_000_000)
          .log("{} \"{}\" took long to convert", key.kind(), key.name());
    }
  }

  private static Key key(Outcome.Converted converted, String what) {
    return new Key(converted.kind(), converted.name(), what);
  }

  private synchronized boolean isNews(Key key) {
    long now = nanoTime.getAsLong();
    Long before = logged.get(key);
    if (before != null && now - before < QUIET_NANOS) {
      return false;
    }
    logged.put(key, now);
    return true;
  }
}
