package dev.sluice.bench.flow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.bench.report.Table;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A run in tables for people and as JSON for programs. */
public final class FlowReport {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final FlowResult result;

  public FlowReport(FlowResult result) {
    this.result = result;
  }

  /** Tables in Markdown. */
  public String text() {
    return String.join("\n", summary(), classes(), processes(), calls());
  }

  private String summary() {
    Table table = new Table(List.of("what", "value"));
    double wall = seconds(result.wall());
    double bound = seconds(result.plot().quotaBound());
    row(table, "plot", result.plot().name());
    row(table, "workloads", "%,d".formatted(result.workloads()));
    row(table, "wall time", number("%.1f s", wall));
    row(table, "quota bound", number("%.1f s", bound));
    row(table, "quota bound / wall", number("%.0f %%", 100 * bound / wall));
    row(table, "quota reserved", number("%.0f %%", 100 * result.quotaUse()));
    row(table, "workloads a second", number("%.0f", result.workloads() / wall));
    row(table, "bare API server, creates a second", number("%.0f", result.bare().creates()));
    row(table, "bare API server, patches a second", number("%.0f", result.bare().patches()));
    row(table, "its cpu for a create", number("%.2f ms", result.bare().createCpuMillis()));
    row(table, "its cpu for a patch", number("%.2f ms", result.bare().patchCpuMillis()));
    row(table, "create, admit, finish at that rate", number("%.1f s", writeBound()));
    row(
        table,
        "writes of the scheduler for a workload",
        number("%.2f", result.writesPerWorkload()));
    row(table, "watches of the generator ended", "%,d".formatted(result.rewatches()));
    row(table, "others' cpu", number("%.0f %%", 100 * seconds(result.use().others()) / wall));
    return table.text();
  }

  /** The time that the bare API server takes for the writes that there must be. */
  private double writeBound() {
    return result.workloads() / result.bare().creates()
        + 2 * result.workloads() / result.bare().patches();
  }

  private String classes() {
    Table table =
        new Table(
            List.of("class", "workloads", "to admission, mean s", "p50 s", "p99 s", "evicted"));
    for (FlowResult.OfClass of : result.classes()) {
      table.add(
          List.of(
              of.name(),
              "%,d".formatted(of.workloads()),
              number("%.2f", seconds(of.mean())),
              number("%.2f", seconds(of.p50())),
              number("%.2f", seconds(of.p99())),
              "%,d".formatted(of.evictions())));
    }
    return table.text();
  }

  private String processes() {
    Table table = new Table(List.of("process", "cpu s", "cpu ms/workload", "most memory, MiB"));
    result
        .use()
        .cpu()
        .forEach(
            (name, cpu) ->
                table.add(
                    List.of(
                        name,
                        number("%.1f", seconds(cpu)),
                        number("%.2f", result.millisPerWorkload(name)),
                        "%,d"
                            .formatted(
                                result.use().mostBytes().getOrDefault(name, 0L) / (1 << 20)))));
    return table.text();
  }

  private String calls() {
    Table table = new Table(List.of("calls", "number", "per workload"));
    row(table, "of the generator", result.generatorCalls());
    result.requests().forEach((what, count) -> row(table, "API server: " + what, count));
    result.writes().forEach((what, count) -> row(table, "scheduler: " + what, count));
    return table.text();
  }

  private void row(Table table, String what, long count) {
    table.add(
        List.of(what, "%,d".formatted(count), number("%.2f", (double) count / result.workloads())));
  }

  private static void row(Table table, String what, String value) {
    table.add(List.of(what, value));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  /** All numbers as they were measured, units in the names. */
  public ObjectNode json() {
    ObjectNode run = JSON.createObjectNode();
    run.put("plot", result.plot().name()).put("workloads", result.workloads());
    run.put("wallSeconds", seconds(result.wall()));
    run.put("quotaBoundSeconds", seconds(result.plot().quotaBound()));
    run.put("quotaReservedShare", result.quotaUse());
    run.put("bareCreatesPerSecond", result.bare().creates());
    run.put("barePatchesPerSecond", result.bare().patches());
    run.put("bareCreateCpuMillis", result.bare().createCpuMillis());
    run.put("barePatchCpuMillis", result.bare().patchCpuMillis());
    run.put("schedulerWritesPerWorkload", result.writesPerWorkload());
    run.put("othersCpuSeconds", seconds(result.use().others()));
    ObjectNode classes = run.putObject("classes");
    for (FlowResult.OfClass of : result.classes()) {
      classes
          .putObject(of.name())
          .put("workloads", of.workloads())
          .put("meanSeconds", seconds(of.mean()))
          .put("p50Seconds", seconds(of.p50()))
          .put("p99Seconds", seconds(of.p99()))
          .put("evictions", of.evictions());
    }
    ObjectNode processes = run.putObject("processes");
    result
        .use()
        .cpu()
        .forEach(
            (name, cpu) ->
                processes
                    .putObject(name)
                    .put("cpuSeconds", seconds(cpu))
                    .put("mostBytes", result.use().mostBytes().getOrDefault(name, 0L)));
    run.put("generatorCalls", result.generatorCalls());
    put(run.putObject("apiServerRequests"), result.requests());
    put(run.putObject("schedulerWrites"), result.writes());
    return run;
  }

  private static void put(ObjectNode object, Map<String, Long> counts) {
    counts.forEach(object::put);
  }

  /** The same as text. */
  public String jsonText() {
    try {
      return JSON.writeValueAsString(json()) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }
}
