package dev.sluice.bench.flow;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counters in the text format of Prometheus, added up by some of their labels. */
public final class MetricsText {
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private MetricsText() {}

  /**
   * The sums of a counter.
   *
   * @param key from the labels of a series to what it is added up under; empty to leave it out
   */
  public static Map<String, Long> sums(
      String text, String metric, Function<Map<String, String>, String> key) {
    Map<String, Long> sums = new TreeMap<>();
    text.lines()
        .filter(line -> line.startsWith(metric + "{"))
        .forEach(
            line -> {
              int end = line.lastIndexOf('}');
              String under = key.apply(labels(line.substring(0, end)));
              if (!under.isEmpty()) {
                double value = Double.parseDouble(line.substring(end + 1).trim().split(" ", -1)[0]);
                sums.merge(under, Math.round(value), Long::sum);
              }
            });
    return sums;
  }

  private static Map<String, String> labels(String series) {
    Map<String, String> labels = new TreeMap<>();
    Matcher matcher = LABEL.matcher(series);
    while (matcher.find()) {
      labels.put(matcher.group(1), matcher.group(2));
    }
    return labels;
  }

  /** By how much each has grown; what has not is left out. */
  public static Map<String, Long> growth(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> growth = new TreeMap<>();
    after.forEach(
        (key, value) -> {
          long more = value - before.getOrDefault(key, 0L);
          if (more > 0) {
            growth.put(key, more);
          }
        });
    return growth;
  }
}
