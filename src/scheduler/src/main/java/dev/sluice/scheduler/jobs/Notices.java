package dev.sluice.scheduler.jobs;

import dev.sluice.scheduler.write.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was told already, so that a job that is planned again and again is not complained of again
 * and again. Forgets the oldest; a kill loses it, and something is told twice. Thread-safe.
 */
final class Notices {
  private static final int MAX = 10_000;

  private final Map<String, String> told = new LinkedHashMap<>();

  /** Those that are news. */
  synchronized List<Write.Event> news(List<Write.Event> notices) {
    List<Write.Event> news = new ArrayList<>();
    for (Write.Event notice : notices) {
      String key = notice.target().uid() + " " + notice.reason();
      if (!notice.message().equals(told.put(key, notice.message()))) {
        news.add(notice);
      }
      if (told.size() > MAX) {
        told.remove(told.keySet().iterator().next());
      }
    }
    return news;
  }
}
