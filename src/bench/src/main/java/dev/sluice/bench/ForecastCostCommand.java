package dev.sluice.bench;

import dev.sluice.bench.forecast.ForecastCost;
import dev.sluice.bench.forecast.ForecastCost.Round;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what forecasts of a long line cost. */
@Command(
    name = "forecast-cost",
    mixinStandardHelpOptions = true,
    header = "Measures the time and the processor that forecasts of a long line take.",
    description =
        "Forecasts are made in this process with the bounds of sluice see. The first one is cold;"
            + " of the others, the second half counts as warm.",
    footerHeading = "%nExamples:%n",
    footer = {"  src/bench/run forecast-cost", "  src/bench/run forecast-cost --waiting 20000"})
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class ForecastCostCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--waiting",
      defaultValue = "5000",
      description = "About so many Workloads wait (default: ${DEFAULT-VALUE}).")
  private int waiting;

  @Option(
      names = "--queues",
      defaultValue = "10",
      description =
          "In so many ClusterQueues, in each of which 40 run (default: ${DEFAULT-VALUE}).")
  private int queues;

  @Option(
      names = "--rounds",
      defaultValue = "20",
      description = "So many forecasts of all (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Override
  public Integer call() {
    List<Round> measured = ForecastCost.run(queues, waiting, rounds);
    List<Round> warm = measured.subList(measured.size() / 2, measured.size());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "| forecast | waiting | plays | seconds | CPU of the thread | CPU of all | share |");
    out.println("|---|---|---|---|---|---|---|");
    out.println(row("first", measured.subList(0, 1)));
    out.println(row("warm, median of " + warm.size(), warm));
    out.println();
    out.println("Statuses of the last: " + measured.getLast().statuses());
    out.flush();
    return 0;
  }

  private static String row(String name, List<Round> rounds) {
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.2f | %.2f s | %.2f s | %.1f %% |",
        name,
        median(rounds, Round::waiting),
        median(rounds, Round::plays),
        median(rounds, Round::wall),
        median(rounds, Round::cpu),
        median(rounds, Round::process),
        100 * median(rounds, Round::share));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
    double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
