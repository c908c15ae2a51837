package dev.sluice.cli.shadow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.terminal.Table;
import dev.sluice.see.shadow.Judgement;
import dev.sluice.see.shadow.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** What has been compared so far. For one thread. */
final class ShadowReport {
  /** Differences that are told with their sentences. */
  private static final int MOST_TOLD = 100;

  private static final int MOST_IN_TEXT = 20;

  private final Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
  private final Map<String, Long> deviations = new TreeMap<>();
  private final List<Judgement> told = new ArrayList<>();
  private final Instant from;
  private final Duration grace;
  private Instant until;
  private long otherEvictions;
  private Function<Judgement, String> scenarios = _ -> "";

  ShadowReport(Instant from, Duration grace) {
    this.from = from;
    this.until = from;
    this.grace = grace;
  }

  /** One more comparison. */
  void add(Judgement judgement) {
    counts.merge(judgement.verdict(), 1L, Long::sum);
    if (!judgement.deviation().isEmpty()) {
      deviations.merge(judgement.deviation(), 1L, Long::sum);
    }
    if (judgement.verdict() != Verdict.SAME && told.size() < MOST_TOLD) {
      told.add(ShadowScenarios.key(judgement));
    }
  }

  /** The comparison is over. */
  void end(Instant at, long evictionsBeside, Function<Judgement, String> scenarioOf) {
    until = at;
    otherEvictions = evictionsBeside;
    scenarios = scenarioOf;
  }

  /** All decisions that were seen. */
  long decisions() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those that differ, and not as documented. */
  long differences() {
    return counts.entrySet().stream()
        .filter(it -> it.getKey().isDifference())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private long count(Verdict verdict) {
    return counts.getOrDefault(verdict, 0L);
  }

  /** The part of the decisions that could be compared in which both decide the same. */
  private String percentSame() {
    long compared = decisions() - count(Verdict.UNDECIDED);
    return compared == 0
        ? "-"
        : String.format(Locale.ROOT, "%.2f %%", 100.0 * count(Verdict.SAME) / compared);
  }

  /** One line of progress. */
  String progress() {
    return "compared %d decisions: %d same, %d differ, %d known deviations, %d undecided"
        .formatted(
            decisions(),
            count(Verdict.SAME),
            differences(),
            count(Verdict.KNOWN_DEVIATION),
            count(Verdict.UNDECIDED));
  }

  String text() {
    var text = new StringBuilder();
    text.append(
        "From %s to %s, grace %s: %d decisions, %s the same.%n"
            .formatted(brief(from), brief(until), grace(), decisions(), percentSame()));
    var table = new Table("  ");
    for (Verdict verdict : Verdict.values()) {
      table.add(verdict.text(), String.valueOf(count(verdict)), meaning(verdict));
    }
    deviations.forEach((id, count) -> table.add("", String.valueOf(count), id));
    text.append(table);
    if (otherEvictions > 0) {
      text.append(
          "%d evictions for other reasons than a preemption were not compared.%n"
              .formatted(otherEvictions));
    }
    told.stream().limit(MOST_IN_TEXT).forEach(it -> text.append('\n').append(text(it)));
    if (told.size() > MOST_IN_TEXT) {
      text.append(
          "%nThe first %d are shown; -o json has %d.%n".formatted(MOST_IN_TEXT, told.size()));
    }
    return text.toString();
  }

  private String text(Judgement it) {
    String scenario = scenarios.apply(it);
    return "%s at %s: %s/%s in ClusterQueue %s%n  The other scheduler %s.%n  %s%n%s"
        .formatted(
            it.verdict().text() + (it.deviation().isEmpty() ? "" : " (" + it.deviation() + ")"),
            brief(it.at()),
            it.workload().namespace(),
            it.workload().name(),
            it.clusterQueue(),
            it.theirs(),
            ours(it),
            scenario.isEmpty() ? "" : "  Scenario: %s%n".formatted(scenario));
  }

  private static String ours(Judgement it) {
    return it.verdict() == Verdict.UNDECIDED
        ? "It cannot be compared: " + it.ours() + "."
        : "Sluice " + it.ours() + ".";
  }

  private static Instant brief(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS);
  }

  private String grace() {
    return grace.toMillis() / 1000.0 + " s";
  }

  private static String meaning(Verdict verdict) {
    return switch (verdict) {
      case SAME -> "both decide the same";
      case SOONER -> "Sluice would admit or preempt; the other scheduler leaves it";
      case LATER -> "the other scheduler reserves quota; Sluice would leave it waiting";
      case OTHER_FLAVOR -> "Sluice would assign another flavor or number of pods";
      case OTHER_PLACE -> "Sluice would place the pods elsewhere";
      case OTHER_VICTIMS -> "Sluice would preempt others, or nobody";
      case KNOWN_DEVIATION -> "differs as documented";
      case UNDECIDED -> "cannot be compared";
    };
  }

  String markdown() {
    var text = new StringBuilder();
    text.append("# Sluice beside another scheduler%n%n".formatted());
    text.append(
        "From %s to %s, grace %s: %d decisions, %s the same.%n%n"
            .formatted(brief(from), brief(until), grace(), decisions(), percentSame()));
    text.append("| result | decisions | meaning |%n|---|---|---|%n".formatted());
    for (Verdict verdict : Verdict.values()) {
      text.append("| %s | %d | %s |%n".formatted(verdict.text(), count(verdict), meaning(verdict)));
    }
    deviations.forEach((id, count) -> text.append("| | %d | `%s` |%n".formatted(count, id)));
    text.append("%nEvictions that were not compared: %d%n".formatted(otherEvictions));
    if (!told.isEmpty()) {
      text.append("%n## The first %d%n".formatted(told.size()));
    }
    for (Judgement it : told) {
      String scenario = scenarios.apply(it);
      text.append(
          "%n- **%s** at %s, `%s/%s` in `%s`: the other scheduler %s. %s%s%n"
              .formatted(
                  it.verdict().text(),
                  brief(it.at()),
                  it.workload().namespace(),
                  it.workload().name(),
                  it.clusterQueue(),
                  it.theirs(),
                  ours(it),
                  scenario.isEmpty() ? "" : " Scenario: `" + scenario + "`"));
    }
    return text.toString();
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("from", brief(from).toString()).put("to", brief(until).toString());
    json.put("graceSeconds", grace.toMillis() / 1000.0).put("decisions", decisions());
    ObjectNode results = json.putObject("results");
    for (Verdict verdict : Verdict.values()) {
      results.put(verdict.label(), count(verdict));
    }
    ObjectNode known = json.putObject("knownDeviations");
    deviations.forEach(known::put);
    json.put("evictionsNotCompared", otherEvictions);
    ArrayNode all = json.putArray("first");
    for (Judgement it : told) {
      ObjectNode one = all.addObject();
      one.put("at", it.at().toString()).put("result", it.verdict().label());
      one.put("deviation", it.deviation());
      one.put("namespace", it.workload().namespace()).put("name", it.workload().name());
      one.put("uid", it.uid()).put("clusterQueue", it.clusterQueue());
      one.put("theirs", it.theirs()).put("ours", it.ours());
      one.put("scenario", scenarios.apply(it));
    }
    return json;
  }
}
