package dev.sluice.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.BriefTime;
import dev.sluice.cli.cluster.ForecastWords;
import dev.sluice.cli.terminal.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;

/** The workloads that wait in a queue, in the order in which they are tried. */
record LineReport(JsonNode line) {
  String text() {
    JsonNode items = line.path("items");
    int total = line.path("total").asInt();
    if (items.isEmpty()) {
      return total == 0
          ? "no workload waits\n"
          : "%d wait, fewer than the offset %d%n".formatted(total, line.path("offset").asInt());
    }
    Table table = new Table("");
    boolean forecasts = items.valueStream().anyMatch(it -> it.has("forecast"));
    String[] head = {
      "POSITION", "WORKLOAD", "LOCALQUEUE", "PRIORITY", "WAITING", "REASON", "STARTS"
    };
    table.add(Arrays.copyOf(head, forecasts ? head.length : head.length - 1));
    items.forEach(item -> add(item, table));
    int shown = items.valueStream().mapToInt(it -> Math.max(1, it.path("workloads").asInt())).sum();
    return shown < total ? "%s%d of %d%n".formatted(table, shown, total) : table.toString();
  }

  private void add(JsonNode item, Table table) {
    String position = item.path("ahead").asText();
    if (item.path("namespace").isNull()) {
      table.add(position, "%d of other namespaces".formatted(item.path("workloads").asInt()));
    } else {
      table.add(
          position,
          item.path("namespace").asText() + "/" + item.path("name").asText(),
          item.path("localQueue").asText(),
          item.path("priority").asText(),
          waiting(item.path("since").asText()),
          item.path("reason").asText(),
          ForecastWords.brief(item.path("forecast"), line.path("asOf").asText()));
    }
  }

  /** How long it has waited by the clock of the server. */
  private String waiting(String since) {
    try {
      Instant asOf = Instant.parse(line.path("asOf").asText());
      return BriefTime.of(Duration.between(Instant.parse(since), asOf));
    } catch (DateTimeParseException _) {
      return "";
    }
  }
}
