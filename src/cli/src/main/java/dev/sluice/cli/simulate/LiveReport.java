package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.see.whatif.Answer;
import java.util.stream.Collectors;

/** The answer to a simulation as text for people. */
final class LiveReport {
  private final StringBuilder text = new StringBuilder();

  private LiveReport() {}

  static String of(JsonNode status) {
    LiveReport report = new LiveReport();
    String until = status.path("until").asText();
    report.line(
        "As of "
            + status.path("asOf").asText()
            + (until.isEmpty()
                ? ", with nothing else going on"
                : ", played forward to " + until + ", with no other jobs"));
    status.path("outcomes").forEach(report::outcome);
    if (!status.path("delayed").isEmpty()) {
      report.line(
          "%nThese would lose their quota%s".formatted(until.isEmpty() ? "" : ", or get it later"));
      status.path("delayed").forEach(report::delay);
    }
    if (!status.path("usage").isEmpty()) {
      report.line("%nUsage".formatted());
      status.path("usage").forEach(report::usage);
    }
    if (status.path("truncated").asBoolean()) {
      report.line("%nThe server ran out of time: this is not all.".formatted());
    }
    return report.text.toString();
  }

  private void delay(JsonNode delay) {
    String was = delay.path("was").asText();
    String now =
        switch (delay.path("now").asText()) {
          case "Restarted" -> "restarted at once";
          case "Waits" -> "would wait";
          case "Later" -> "would get quota later";
          case String time -> "would get quota at " + time;
        };
    String before =
        switch (was) {
          case ConditionTypes.ADMITTED, "Later" -> "";
          default -> ", and not at " + was;
        };
    line("  - " + name(delay) + ": " + now + before);
  }

  private void usage(JsonNode change) {
    line(
        "  - ClusterQueue %s, %s of flavor %s: %s -> %s"
            .formatted(
                change.path("clusterQueue").asText(),
                change.path("resource").asText(),
                change.path("flavor").asText(),
                change.path("before").asText(),
                change.path("after").asText()));
  }

  private void line(String line) {
    text.append(line).append(System.lineSeparator());
  }

  private void outcome(JsonNode outcome) {
    line(
        "%n%s %s: %s"
            .formatted(
                outcome.at("/object/kind").asText(),
                name(outcome.path("object")),
                outcome.path("answer").asText()));
    if (outcome.has("message")) {
      line("  " + outcome.path("message").asText());
    }
    if (outcome.path("ahead").asInt() > 0) {
      line("  behind " + outcome.path("ahead").asInt() + " others");
    }
    if (outcome.has("starts") && outcome.path("answer").asText().equals(Answer.WAITS.text())) {
      line("  would get quota at " + outcome.path("starts").asText());
    }
    outcome.path("podSets").forEach(this::podSet);
    outcome.path("preempts").forEach(it -> line("  evicts " + name(it)));
    outcome
        .path("remedies")
        .forEach(
            it ->
                line(
                    "  would help: %s: %s"
                        .formatted(it.path("change").asText(), it.path("effect").asText())));
  }

  private void podSet(JsonNode podSet) {
    String flavors =
        podSet
            .path("flavors")
            .propertyStream()
            .map(it -> it.getKey() + " of flavor " + it.getValue().asText())
            .collect(Collectors.joining(", "));
    line(
        "  PodSet %s: %d pods, %s"
            .formatted(podSet.path("name").asText(), podSet.path("count").asInt(), flavors));
  }

  /** A name, or how many there are whose names are not shown. */
  private static String name(JsonNode named) {
    return named.path("namespace").isNull()
        ? "%d of other namespaces".formatted(named.path("workloads").asInt())
        : named.path("namespace").asText() + "/" + named.path("name").asText();
  }
}
