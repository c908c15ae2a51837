package dev.sluice.cli.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.picture.UsageOverTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** What became of each ClusterQueue in two plays of a recording, side by side. */
final class WhatIfReport {
  /** A play and what it is called. */
  record Play(String name, Map<String, WhatIf.Result> results, UsageOverTime usage) {}

  private static final int QUEUE = 24;
  private static final int FIGURE = 20;
  private static final int VALUE = 16;

  private WhatIfReport() {}

  static String text(Play first, Play second) {
    StringBuilder text = new StringBuilder();
    line(text, "CLUSTER QUEUE", "FIGURE", first.name(), second.name());
    for (String queue : queues(first, second)) {
      Map<String, String> before = figures(first.results().getOrDefault(queue, none()));
      Map<String, String> after = figures(second.results().getOrDefault(queue, none()));
      TreeSet<String> others = new TreeSet<>(after.keySet());
      others.removeAll(before.keySet());
      List<String> names = new ArrayList<>(before.keySet());
      names.addAll(others);
      String label = queue.isEmpty() ? "(none)" : queue;
      for (String figure : names) {
        line(
            text, label, figure, before.getOrDefault(figure, "0"), after.getOrDefault(figure, "0"));
        label = "";
      }
    }
    return text.toString();
  }

  private static WhatIf.Result none() {
    return new WhatIf.Result();
  }

  private static SortedSet<String> queues(Play first, Play second) {
    SortedSet<String> queues = new TreeSet<>(first.results().keySet());
    queues.addAll(second.results().keySet());
    return queues;
  }

  private static void line(StringBuilder text, String a, String b, String c, String d) {
    String line = pad(a, QUEUE) + " " + pad(b, FIGURE) + " " + pad(c, VALUE) + " " + d;
    text.append(line.stripTrailing()).append('\n');
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static Map<String, String> figures(WhatIf.Result result) {
    Map<String, String> figures = new LinkedHashMap<>();
    List<Duration> waits = result.waits();
    figures.put("started", String.valueOf(waits.size()));
    figures.put("starved", String.valueOf(result.starved()));
    figures.put("preempted", String.valueOf(result.preempted()));
    figures.put("wait, mean", seconds(mean(waits)));
    figures.put("wait, p50", seconds(percentile(waits, 50)));
    figures.put("wait, p90", seconds(percentile(waits, 90)));
    figures.put("run time guessed", String.valueOf(result.guessed()));
    result
        .unitHours()
        .forEach(
            (resource, hours) ->
                figures.put(resource + " hours", String.format(Locale.ROOT, "%.2f", hours)));
    return figures;
  }

  private static String seconds(Duration wait) {
    return wait.toSeconds() + " s";
  }

  private static Duration mean(List<Duration> waits) {
    return waits.isEmpty()
        ? Duration.ZERO
        : waits.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(waits.size());
  }

  private static Duration percentile(List<Duration> waits, int percent) {
    return waits.isEmpty() ? Duration.ZERO : waits.get((waits.size() - 1) * percent / 100);
  }

  static ObjectNode json(Play first, Play second) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    for (String queue : queues(first, second)) {
      ObjectNode both = root.putObject(queue);
      both.set(first.name(), json(first.results().getOrDefault(queue, none())));
      both.set(second.name(), json(second.results().getOrDefault(queue, none())));
    }
    return root;
  }

  private static ObjectNode json(WhatIf.Result result) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    List<Duration> waits = result.waits();
    node.put("started", waits.size()).put("starved", result.starved());
    node.put("preempted", result.preempted()).put("runTimesGuessed", result.guessed());
    node.put("waitMeanSeconds", mean(waits).toSeconds());
    node.put("waitP50Seconds", percentile(waits, 50).toSeconds());
    node.put("waitP90Seconds", percentile(waits, 90).toSeconds());
    ObjectNode hours = node.putObject("unitHours");
    result.unitHours().forEach(hours::put);
    return node;
  }
}
