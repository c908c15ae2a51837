package dev.sluice.bench.report;

import static java.util.stream.Collectors.joining;

import dev.sluice.bench.load.Memory;
import dev.sluice.bench.load.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The rows of one run, in the order in which they were measured, and what follows from them. */
public final class Report {
  /** How the row of the plain JSON library is named. */
  public static final String JACKSON = "Jackson";

  /** How Sluice's rows are named. */
  public static final String SLUICE = "sluice";

  /** How the rows of the server that only echoes are named. */
  public static final String ECHO = "echo";

  private static final List<String> HEADS =
      List.of(
          "objects",
          "load",
          "what",
          "requests/s",
          "objects/s",
          "MB/s",
          "p50 ms",
          "p99 ms",
          "max ms",
          "CPU us/object",
          "/ echo",
          "/ Jackson",
          "spread",
          "others' CPU");

  /** The share of a processor that others may use without a warning. */
  private static final double QUIET = 0.15;

  private final List<Row> rows = new ArrayList<>();
  private final List<Memory> memory = new ArrayList<>();

  /** Adds what a cell found. */
  public void add(Row row) {
    rows.add(row);
  }

  /** Adds what requests of one size take of memory. */
  public void add(Memory size) {
    memory.add(size);
  }

  /** Whether every request of every cell got a good answer. */
  public boolean complete() {
    return rows.stream().allMatch(row -> row.sample().complete());
  }

  /** What went wrong, one line for each cell concerned; empty if nothing did. */
  public String problems() {
    return rows.stream()
        .filter(row -> !row.sample().complete())
        .map(Report::problem)
        .collect(joining("\n"));
  }

  private static String problem(Row row) {
    Sample sample = row.sample();
    return "%d objects, %s, %s: %d sent, %d answered, %d no good answers%s"
        .formatted(
            row.objects(),
            row.load().words(),
            row.what(),
            sample.sent(),
            sample.answered(),
            sample.failed(),
            sample.firstFailure().isEmpty() ? "" : ", the first: " + sample.firstFailure());
  }

  /** The requests of all cells, all of them answered well if the run is complete. */
  public long requests() {
    return rows.stream().mapToLong(row -> row.sample().sent()).sum();
  }

  /** All rows. */
  public String table() {
    Table table = new Table(HEADS);
    rows.forEach(row -> table.add(cells(row)));
    return table.text();
  }

  /** What requests of each size take of memory. */
  public String memoryTable() {
    return MemoryTable.of(memory);
  }

  /** All of it for programs, in JSON. */
  public String json(Instant began, Machine machine) {
    return JsonReport.of(began, machine, rows, memory);
  }

  private List<String> cells(Row row) {
    Sample sample = row.sample();
    return List.of(
        Integer.toString(row.objects()),
        row.load().words(),
        row.what(),
        whole(sample.requestsPerSecond()),
        whole(sample.objectsPerSecond()),
        whole(sample.megabytesPerSecond()),
        millis(sample.latency().p50()),
        millis(sample.latency().p99()),
        millis(sample.latency().max()),
        String.format(Locale.ROOT, "%.1f", sample.microsPerObject()),
        ratioText(toEcho(row)),
        ratioText(toJackson(row)),
        percent(sample.spread()),
        percent(othersCpu(sample)));
  }

  /** The share of the echo's rate that Sluice reaches under the same load. */
  private OptionalDouble toEcho(Row row) {
    return row.what().equals(SLUICE) && !(row.load() instanceof Load.AtRate)
        ? ratio(row, row.load(), ECHO)
        : OptionalDouble.empty();
  }

  /** Sluice's rate next to that of Jackson on one thread. */
  private OptionalDouble toJackson(Row row) {
    return row.what().equals(SLUICE) && !(row.load() instanceof Load.AtRate)
        ? ratio(row, new Load.InMemory(), JACKSON)
        : OptionalDouble.empty();
  }

  private OptionalDouble ratio(Row row, Load load, String other) {
    return rows.stream()
        .filter(
            r -> r.objects() == row.objects() && r.load().equals(load) && r.what().equals(other))
        .mapToDouble(r -> row.sample().objectsPerSecond() / r.sample().objectsPerSecond())
        .findFirst();
  }

  /** The run in one line for each size of request. */
  public String summary() {
    return rows.stream()
        .filter(row -> row.what().equals(SLUICE) && row.load() instanceof Load.InMemory)
        .map(this::summary)
        .collect(joining("\n", "", disturbance()));
  }

  /** A warning if other programs took part of the machine while something was measured. */
  private String disturbance() {
    double most = rows.stream().mapToDouble(row -> othersCpu(row.sample())).max().orElse(0);
    return most <= QUIET
        ? ""
        : "%n%nDISTURBED: other programs used up to %s of a processor; the ratios are rough. Repeat it on a quiet machine."
            .formatted(percent(most));
  }

  private static double othersCpu(Sample sample) {
    return (double) sample.usage().others().toNanos() / sample.time().toNanos();
  }

  private String summary(Row inMemory) {
    String served =
        rows.stream()
            .filter(row -> row.objects() == inMemory.objects() && toEcho(row).isPresent())
            .max((a, b) -> Double.compare(rate(a), rate(b)))
            .map(
                best ->
                    ", served at most %s objects/s (%s): %s of the echo's rate"
                        .formatted(
                            whole(rate(best)),
                            best.load().words(),
                            percent(toEcho(best).orElseThrow())))
            .orElse("");
    return "- %d %s a request: %s of the rate of Jackson's parse-and-write in memory%s"
        .formatted(
            inMemory.objects(),
            inMemory.objects() == 1 ? "object" : "objects",
            percent(toJackson(inMemory).orElse(0)),
            served);
  }

  private static double rate(Row row) {
    return row.sample().objectsPerSecond();
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, number < 10 ? "%.1f" : "%,.0f", number);
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.2f", time.toNanos() / 1e6);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private static String ratioText(OptionalDouble ratio) {
    return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "";
  }
}
