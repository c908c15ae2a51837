package dev.sluice.jobs.plan;

import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The events sent so far, so that planning an object again does not repeat them. An event that is
 * still true half an hour later is sent again, since events are kept for an hour. The oldest are
 * dropped; after a restart an event may be sent twice. Thread-safe.
 */
public final class Notices {
  private static final int MAX = 10_000;
  private static final Duration ANEW = Duration.ofMinutes(30);

  private record Told(String message, Instant at) {}

  private final Map<String, Told> told = new LinkedHashMap<>();

  /** Whether it has to be sent; then it counts as sent. */
  public synchronized boolean isNews(Write.Event notice, Instant now) {
    ObjectRef about = notice.target();
    String key =
        "%s %s/%s %s %s"
            .formatted(about.kind(), about.namespace(), about.name(), about.uid(), notice.reason());
    Told last = told.get(key);
    if (last != null
        && last.message().equals(notice.message())
        && last.at().plus(ANEW).isAfter(now)) {
      return false;
    }
    told.remove(key); // so that it comes last
    told.put(key, new Told(notice.message(), now));
    if (told.size() > MAX) {
      told.remove(told.keySet().iterator().next());
    }
    return true;
  }
}
