package dev.sluice.bench;

import dev.sluice.bench.forecast.ForecastTable;
import dev.sluice.bench.forecast.ForecastTrial;
import dev.sluice.bench.forecast.LoadFamily;
import dev.sluice.bench.forecast.TrialResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Override
  public Integer call() throws IOException {
    var progress = new Progress(System.err, Boolean.getBoolean("bench.terminal"));
    List<TrialResult> results = new ArrayList<>();
    for (LoadFamily family : families) {
      for (long seed : seeds) {
        progress.doing(results.size() + 1, families.size() * seeds.size(), family.text());
        results.add(
            ForecastTrial.run(
                family, seed, brief ? ForecastTrial.Size.SHORT : ForecastTrial.Size.FULL));
      }
    }
    progress.done();
    String table = ForecastTable.of(results);
    PrintWriter out = spec.commandLine().getOut();
    out.print(table);
    out.flush();
    if (save != null) {
      Files.writeString(save, "# Forecasts\n\n" + table);
    }
    return 0;
  }
}
