package dev.sluice.webhook.endpoint;

import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.law.Remark;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what is odd about stored objects. An API server converts the same object again and again, so
 * the same remark on the same object is logged once an hour, and only so many objects are
 * remembered. Thread-safe.
 */
final class SuspectLog {
  private static final Logger LOG = LoggerFactory.getLogger(SuspectLog.class);
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

  private record Key(String kind, String name, Remark.Reason reason) {}

  SuspectLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void log(String uid, Outcome.Converted converted, Remark remark) {
    Key key = new Key(converted.kind().kind(), converted.name(), remark.reason());
    if (!isNews(key)) {
      return;
    }
    LOG.atWarn()
        .addKeyValue("uid", uid)
        .addKeyValue("kind", key.kind())
        .addKeyValue("name", key.name())
        .addKeyValue("reason", remark.reason().label())
        .log("{} \"{}\": {}: {}", key.kind(), key.name(), remark.field(), remark.detail());
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
