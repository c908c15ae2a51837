package dev.sluice.bench.report;

import static java.util.stream.Collectors.joining;

import dev.sluice.bench.load.Protocol;
import dev.sluice.bench.load.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What was measured of admission, in the order in which it was. */
public final class AdmissionReport {
  private static final List<String> HEADS =
      List.of(
          "review",
          "protocol",
          "load",
          "what",
          "reviews/s",
          "/ bare",
          "p50 ms",
          "p99 ms",
          "max ms",
          "CPU us/review",
          "spread",
          "others' CPU");

  /** The share of a processor that others may use without a warning. */
  private static final double QUIET = 0.15;

  private final List<Cell> cells = new ArrayList<>();

  /**
   * One cell and what it found.
   *
   * @param review what was asked
   * @param server {@code sluice} or {@code bare}
   */
  public record Cell(String review, Protocol protocol, Load load, String server, Sample sample) {
    private boolean isBesides(Cell other) {
      return review.equals(other.review)
          && protocol == other.protocol
          && load.equals(other.load)
          && !server.equals(other.server);
    }

    private double othersCpu() {
      return (double) sample.usage().others().toNanos() / sample.time().toNanos();
    }
  }

  /** Adds what a cell found. */
  public void add(Cell cell) {
    cells.add(cell);
  }

  /** Whether every request of every cell got a good answer. */
  public boolean complete() {
    return cells.stream().allMatch(cell -> cell.sample().complete());
  }

  /** What went wrong, one line for each cell concerned; empty if nothing did. */
  public String problems() {
    return cells.stream()
        .filter(cell -> !cell.sample().complete())
        .map(
            cell ->
                "%s, %s, %s, %s: %d sent, %d answered, %d no good answers, the first: %s%n"
                    .formatted(
                        cell.review(),
                        cell.protocol().words(),
                        cell.load().words(),
                        cell.server(),
                        cell.sample().sent(),
                        cell.sample().answered(),
                        cell.sample().failed(),
                        cell.sample().firstFailure()))
        .collect(joining());
  }

  /** All cells as a table, and what follows from them. */
  public String text() {
    Table table = new Table(HEADS);
    cells.forEach(cell -> table.add(row(cell)));
    return table.text() + summary();
  }

  private List<String> row(Cell cell) {
    Sample sample = cell.sample();
    OptionalDouble ratio = ratio(cell);
    return List.of(
        cell.review(),
        cell.protocol().words(),
        cell.load().words(),
        cell.server(),
        String.format(Locale.ROOT, "%,.0f", sample.requestsPerSecond()),
        ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "",
        millis(sample.latency().p50()),
        millis(sample.latency().p99()),
        millis(sample.latency().max()),
        String.format(Locale.ROOT, "%.1f", sample.microsPerObject()),
        String.format(Locale.ROOT, "%.0f %%", 100 * sample.spread()),
        String.format(Locale.ROOT, "%.0f %%", 100 * cell.othersCpu()));
  }

  /** The share of the bare server's rate that Sluice reaches, where both went as fast as can be. */
  private OptionalDouble ratio(Cell cell) {
    if (!cell.server().equals(Report.SLUICE) || cell.load() instanceof Load.AtRate) {
      return OptionalDouble.empty();
    }
    return cells.stream()
        .filter(bare -> cell.isBesides(bare) && bare.sample().requests() > 0)
        .mapToDouble(bare -> cell.sample().requestsPerSecond() / bare.sample().requestsPerSecond())
        .findFirst();
  }

  private String summary() {
    String lines =
        cells.stream().map(Cell::review).distinct().map(this::summary).collect(joining());
    double most = cells.stream().mapToDouble(Cell::othersCpu).max().orElse(0);
    return most <= QUIET
        ? "\n" + lines
        : "%n%s%nDISTURBED: other programs used up to %.0f %% of a processor; repeat it on a quiet machine.%n"
            .formatted(lines, 100 * most);
  }

  private String summary(String review) {
    List<Double> ratios = new ArrayList<>();
    Duration p99 = Duration.ZERO;
    for (Cell cell : cells) {
      if (cell.review().equals(review) && cell.server().equals(Report.SLUICE)) {
        ratio(cell).ifPresent(ratios::add);
        boolean isSlower = cell.sample().latency().p99().compareTo(p99) > 0;
        p99 = cell.load() instanceof Load.AtRate && isSlower ? cell.sample().latency().p99() : p99;
      }
    }
    ratios.sort(null);
    String range =
        ratios.isEmpty()
            ? ""
            : String.format(
                Locale.ROOT,
                ": %.2f to %.2f of the bare server's rate",
                ratios.getFirst(),
                ratios.getLast());
    String late = p99.isZero() ? "" : ", p99 at the fixed rate " + millis(p99) + " ms";
    return "- " + review + range + late + "\n";
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.2f", time.toNanos() / 1e6);
  }
}
