package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;

/** The answer to a simulation as text for people. */
final class LiveReport {
  private final StringBuilder text = new StringBuilder();

  private LiveReport() {}

  static String of(JsonNode status) {
    LiveReport report = new LiveReport();
    report.line("As of %s, with nothing else going on", status.path("asOf").asText());
    status.path("outcomes").forEach(report::outcome);
    if (!status.path("delayed").isEmpty()) {
      report.line("%nThese would lose their quota");
      status
          .path("delayed")
          .forEach(
              it ->
                  report.line(
                      "  - %s: %s",
                      name(it),
                      it.path("now").asText().equals("Restarted")
                          ? "restarted at once"
                          : "would wait"));
    }
    if (!status.path("usage").isEmpty()) {
      report.line("%nUsage");
      status
          .path("usage")
          .forEach(
              it ->
                  report.line(
                      "  - ClusterQueue %s, %s of flavor %s: %s -> %s",
                      it.path("clusterQueue").asText(),
                      it.path("resource").asText(),
                      it.path("flavor").asText(),
                      it.path("before").asText(),
                      it.path("after").asText()));
    }
    if (status.path("truncated").asBoolean()) {
      report.line("%nThe server ran out of time: this is not all.");
    }
    return report.text.toString();
  }

  private void line(String format, Object... values) {
    text.append(format.formatted(values)).append(System.lineSeparator());
  }

  private void outcome(JsonNode outcome) {
    line(
        "%n%s %s: %s",
        outcome.at("/object/kind").asText(),
        name(outcome.path("object")),
        outcome.path("answer").asText());
    if (outcome.has("message")) {
      line("  %s", outcome.path("message").asText());
    }
    if (outcome.path("ahead").asInt() > 0) {
      line("  behind %d others", outcome.path("ahead").asInt());
    }
    for (JsonNode podSet : outcome.path("podSets")) {
      line(
          "  PodSet %s: %d pods, %s",
          podSet.path("name").asText(),
          podSet.path("count").asInt(),
          podSet
              .path("flavors")
              .propertyStream()
              .map(it -> it.getKey() + " of flavor " + it.getValue().asText())
              .collect(Collectors.joining(", ")));
    }
    outcome.path("preempts").forEach(it -> line("  evicts %s", name(it)));
    outcome
        .path("remedies")
        .forEach(
            it ->
                line(
                    "  would help: %s: %s",
                    it.path("change").asText(), it.path("effect").asText()));
  }

  /** A name, or how many there are whose names are not shown. */
  private static String name(JsonNode named) {
    return named.path("namespace").isNull()
        ? "%d of other namespaces".formatted(named.path("workloads").asInt())
        : named.path("namespace").asText() + "/" + named.path("name").asText();
  }
}
