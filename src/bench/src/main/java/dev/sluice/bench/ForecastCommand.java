package dev.sluice.bench;

import dev.sluice.bench.forecast.ForecastTable;
import dev.sluice.bench.forecast.ForecastTrial;
import dev.sluice.bench.forecast.LoadFamily;
import dev.sluice.bench.forecast.TrialResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares forecasts with what came, and prints a table. */
@Command(
    name = "forecast",
    mixinStandardHelpOptions = true,
    header = "Compares forecasts with what came, for five kinds of load.",
    description =
        "Everything is in virtual time and in one engine, so the same seeds give the same table on"
            + " any machine.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  src/bench/run forecast",
      "  src/bench/run forecast --families STEADY,TOPOLOGY --seeds 1",
      "  src/bench/run forecast --save src/bench/results/forecast.md"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class ForecastCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--short", description = "Fewer jobs and plays.")
  private boolean brief;

  @Option(
      names = "--families",
      split = ",",
      defaultValue = "STEADY,CRON_BURSTS,HEAVY_TAILED,PREEMPTING,TOPOLOGY",
      description = "The kinds of load (default: ${DEFAULT-VALUE}).")
  private Set<LoadFamily> families;

  @Option(
      names = "--seeds",
      split = ",",
      defaultValue = "1,2,3",
      description = "Each kind is played with each of them (default: ${DEFAULT-VALUE}).")
  private List<Long> seeds;

  @Option(names = "--save", paramLabel = "FILE", description = "Keep the table there.")
  private @Nullable Path save;

  @Option(
      names = "--at-a-time",
      paramLabel = "N",
      description = "How many are played at the same time (default: one for each processor).")
  private int atATime = Runtime.getRuntime().availableProcessors();

  private record Cell(LoadFamily family, long seed) {}

  @Override
  public Integer call() throws IOException {
    if (atATime < 1) {
      throw new ParameterException(
          spec.commandLine(), "--at-a-time %d (expected: 1 or more)".formatted(atATime));
    }
    List<Cell> cells =
        families.stream()
            .flatMap(family -> seeds.stream().map(seed -> new Cell(family, seed)))
            .toList();
    String table = ForecastTable.of(play(cells));
    PrintWriter out = spec.commandLine().getOut();
    out.print(table);
    out.flush();
    if (save != null) {
      Files.writeString(save, "# Forecasts\n\n" + table);
    }
    return 0;
  }

  /** The results in the order of the cells. */
  private List<TrialResult> play(List<Cell> cells) {
    var progress = new Progress(System.err, Boolean.getBoolean("bench.terminal"));
    var size = brief ? ForecastTrial.Size.SHORT : ForecastTrial.Size.FULL;
    var over = new AtomicInteger();
    try (ExecutorService players = Executors.newFixedThreadPool(atATime)) {
      List<CompletableFuture<TrialResult>> results =
          cells.stream()
              .map(
                  cell ->
                      CompletableFuture.supplyAsync(
                          () -> {
                            TrialResult result =
                                ForecastTrial.run(cell.family(), cell.seed(), size);
                            progress.doing(
                                over.incrementAndGet(), cells.size(), cell.family().text());
                            return result;
                          },
                          players))
              .toList();
      return results.stream().map(CompletableFuture::join).toList();
    } finally {
      progress.done();
    }
  }
}
