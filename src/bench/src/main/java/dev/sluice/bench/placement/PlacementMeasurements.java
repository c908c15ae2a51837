package dev.sluice.bench.placement;

import dev.sluice.bench.load.LiveHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmark over forests and manners, and weighs the forests. */
public final class PlacementMeasurements {
  private static final List<String> FORESTS = List.of("10 x 64", "50 x 100", "600 x 100");
  private static final List<String> MANNERS =
      List.of("required", "preferred", "balanced", "unconstrained");

  private final boolean brief;

  /** All of it, or the middle forest alone. */
  public PlacementMeasurements(boolean brief) {
    this.brief = brief;
  }

  /**
   * What one manner costs in one forest.
   *
   * @param forest racks and nodes in each
   * @param micros processor time for a workload of two pods that ends and another one that is
   *     placed
   */
  public record Cost(String forest, String manner, double micros) {}

  /**
   * What one forest weighs.
   *
   * @param bytes of the heap, workloads and all
   */
  public record Weight(String forest, int workloads, long bytes) {}

  private List<String> forests() {
    return brief ? FORESTS.subList(1, 2) : FORESTS;
  }

  /** The costs, forest by forest. */
  public List<Cost> costs() throws RunnerException {
    List<Cost> costs = new ArrayList<>();
    for (String forest : forests()) {
      for (String manner : MANNERS) {
        costs.add(new Cost(forest, manner, micros(forest, manner)));
      }
    }
    return costs;
  }

  private double micros(String forest, String manner) throws RunnerException {
    var options =
        new OptionsBuilder()
            .include(PlacementBenchmark.class.getName() + "\\..*")
            .param("forest", forest)
            .param("manner", manner)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .warmupIterations(brief ? 2 : 3)
            .measurementIterations(brief ? 2 : 4)
            .warmupTime(TimeValue.seconds(1))
            .measurementTime(TimeValue.seconds(1))
            .build();
    RunResult result = new Runner(options).runSingle();
    return counted(result, "cpuNanos") / counted(result, "operations") / 1000;
  }

  private static double counted(RunResult result, String name) {
    return Objects.requireNonNull(result.getSecondaryResults().get(name)).getScore();
  }

  /** The weights, forest by forest. */
  public List<Weight> weights() {
    List<Weight> weights = new ArrayList<>();
    for (String forest : forests()) {
      var running = new AtomicInteger();
      long bytes =
          LiveHeap.bytesOf(
              () -> {
                PlacedCluster cluster = PlacedCluster.parse(forest, "required");
                running.set(cluster.running());
                return cluster;
              });
      weights.add(new Weight(forest, running.get(), bytes));
    }
    return weights;
  }
}
