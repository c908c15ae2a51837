package dev.sluice.supervision;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Bounds how often the same cause is logged: at once, then at most once a minute with the number of
 * times since. Two failures have the same cause if their class and the place of the throw are the
 * same. Thread-safe.
 */
final class CauseLog {
  private static final Duration APART = Duration.ofMinutes(1);
  private static final int CAUSES = 64;

  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private final Map<String, Seen> seen = new LinkedHashMap<>();

  private record Seen(long loggedAt, long unlogged) {}

  CauseLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Records a failure with this cause.
   *
   * @return how often it happened since it was last logged, including this one, if it should be
   *     logged now; otherwise 0
   */
  synchronized long happened(Throwable cause) {
    String key = key(cause);
    long now = nanoTime.getAsLong();
    Seen before = seen.get(key);
    if (before != null && now - before.loggedAt() < APART.toNanos()) {
      seen.put(key, new Seen(before.loggedAt(), before.unlogged() + 1));
      return 0;
    }
    seen.put(key, new Seen(now, 0));
    if (seen.size() > CAUSES) {
      seen.remove(seen.keySet().iterator().next());
    }
    return before == null ? 1 : before.unlogged() + 1;
  }

  private static String key(Throwable cause) {
    StackTraceElement[] stack = cause.getStackTrace();
    return cause.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
  }
}
