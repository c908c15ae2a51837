package dev.sluice.bench;

import dev.sluice.bench.dispatch.BesideRun;
import dev.sluice.bench.dispatch.BesideRun.Result;
import dev.sluice.bench.dispatch.BesideRun.Turn;
import dev.sluice.bench.dispatch.FleetClusters;
import dev.sluice.bench.report.Machine;
import dev.sluice.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lets Jobs live on worker clusters beside one that is slow or silent. */
@Command(
    name = "beside",
    mixinStandardHelpOptions = true,
    header = "How much a worker that is slow or silent holds up Jobs on the others.",
    description = {
      "Starts a manager and workers as fleet does, and one more worker that admits nothing. In turn"
          + " Jobs are sent to",
      "the workers, and to the workers and that one, while its answers are late. If there are none"
          + " for 30 s, the",
      "manager loses it in each turn. It prints medians over the turns, and their ratios. Exit code"
          + " 1 if not all Jobs are",
      "finished in time."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  src/bench/run beside",
      "  src/bench/run beside --late 20",
      "  src/bench/run beside --jobs 100 --rate 3 --turns 6"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class BesideCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private FleetOptions options;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many turns with, and as many without (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Option(
      names = "--late",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description = "How late the answers are; 3600: there are none (default: ${DEFAULT-VALUE}).")
  private int late;

  @Override
  public Integer call() throws IOException {
    Path logs = Files.createTempDirectory("sluice-beside");
    Duration wait = options.schedule().bound();
    try (FleetClusters fleet =
        FleetClusters.start(
            options.schedule().program(), options.workers(), options.jobs(), wait, logs)) {
      report(
          new BesideRun(fleet, options.jobs(), options.rate(), wait, Duration.ofSeconds(late))
              .play(turns));
      return 0;
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("beside: %s; the schedulers' logs are in %s".formatted(e.getMessage(), logs));
      return 1;
    }
  }

  private void report(Result result) {
    Table table = new Table(List.of("", "without", "with", "ratio"));
    row(table, result, "created to started there, p50, ms", it -> start(it, 0.5));
    row(table, result, "created to started there, p99, ms", it -> start(it, 0.99));
    row(table, result, "ended there to Finished, p50, ms", it -> end(it, 0.5));
    row(table, result, "ended there to Finished, p99, ms", it -> end(it, 0.99));
    row(table, result, "Jobs that waited, a second", Turn::atOnce);
    row(table, result, "heap of the manager's scheduler, MiB", it -> it.heapBytes() / 1048576.0);
    row(table, result, "its threads", Turn::threads);
    spec.commandLine()
        .getOut()
        .printf(
            """
            %s, %s

            %s
            %,d Jobs at %.1f a second and as many at once, %d workers, %d turns with one more whose
            answers were %,d s late. %,d requests for Workloads and Jobs reached that one.
            """,
            Instant.now(),
            Machine.current().description(),
            table.text(),
            options.jobs(),
            options.rate(),
            options.workers(),
            turns,
            late,
            result.reached());
    spec.commandLine().getOut().flush();
  }

  private static double start(Turn turn, double part) {
    return turn.lives().toStart().millis(part);
  }

  private static double end(Turn turn, double part) {
    return turn.lives().toFinished().millis(part);
  }

  private static void row(Table table, Result result, String what, ToDoubleFunction<Turn> figure) {
    double without = Result.median(result.without(), figure);
    double with = Result.median(result.with(), figure);
    table.add(List.of(what, number(without), number(with), ratio(with / without)));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
