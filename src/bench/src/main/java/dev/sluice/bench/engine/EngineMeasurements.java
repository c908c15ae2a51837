package dev.sluice.bench.engine;

import dev.sluice.bench.engine.EngineReport.Cycles;
import dev.sluice.bench.engine.EngineReport.Memory;
import dev.sluice.bench.engine.EngineReport.Search;
import dev.sluice.bench.engine.EngineReport.SnapshotTime;
import dev.sluice.bench.engine.PendingMemory.Variety;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks over their sizes; the short form leaves out most sizes and half the time. */
public final class EngineMeasurements {
  private final boolean brief;

  /** All of it, or the short form. */
  public EngineMeasurements(boolean brief) {
    this.brief = brief;
  }

  /** The clusters that are measured: from a middle one along each of its four sides. */
  public List<String> clusters() {
    List<String> clusters = new ArrayList<>();
    for (int queues : sizes(30, 1000, 10_000)) {
      clusters.add(cluster(queues, 2, 100_000, 2));
    }
    for (int depth : sizes(1, 3, 4, 6)) {
      clusters.add(cluster(1000, depth, 100_000, 2));
    }
    for (int pending : sizes(1000, 10_000, 1_000_000)) {
      clusters.add(cluster(1000, 2, pending, 2));
    }
    for (int flavors : sizes(1, 4, 16)) {
      clusters.add(cluster(1000, 2, 100_000, flavors));
    }
    return clusters;
  }

  /** All sizes, or the first one alone. */
  private int[] sizes(int... all) {
    return brief ? new int[] {all[0]} : all;
  }

  private static String cluster(int queues, int depth, int pending, int flavors) {
    return "%d queues, depth %d, %d pending, %d flavors".formatted(queues, depth, pending, flavors);
  }

  /** Cycles of one of the {@link #clusters}. */
  public Cycles cycles(String cluster) throws RunnerException {
    double one = 0;
    double cyclesASecond = 0;
    double each = 0;
    double edit = 0;
    for (RunResult result : run(CycleBenchmark.class, "cluster", cluster)) {
      double score = counted(result, "cpuNanos") / counted(result, "operations") / 1000;
      switch (result.getPrimaryResult().getLabel()) {
        case "onePlace" -> {
          double cycles = counted(result, "cycles");
          double admissions = counted(result, "admissions");
          one = score;
          cyclesASecond = cycles / admissions * 1e6 / score;
        }
        case "onePlaceInEveryQueue" -> each = score / BusyQueues.Scale.parse(cluster).queues();
        default -> edit = score;
      }
    }
    return new Cycles(BusyQueues.Scale.parse(cluster), one, cyclesASecond, each, edit);
  }

  private static double counted(RunResult result, String name) {
    return Objects.requireNonNull(result.getSecondaryResults().get(name)).getScore();
  }

  /** Snapshots of clusters with a small and a large crowd that waits. */
  public List<SnapshotTime> snapshots() throws RunnerException {
    List<SnapshotTime> times = new ArrayList<>();
    for (int pending : sizes(1000, 1_000_000)) {
      String cluster = cluster(1000, 2, pending, 2);
      for (RunResult result : run(SnapshotBenchmark.class, "cluster", cluster)) {
        times.add(new SnapshotTime(pending, result.getPrimaryResult().getScore()));
      }
    }
    return times;
  }

  /** Searches among many candidates. */
  public List<Search> searches() throws RunnerException {
    List<Search> searches = new ArrayList<>();
    for (RunResult result : run(PreemptionBenchmark.class, "candidates", "10000")) {
      searches.add(
          new Search(
              10_000,
              Integer.parseInt(result.getParams().getParam("victims")),
              Boolean.parseBoolean(result.getParams().getParam("fair")),
              result.getPrimaryResult().getScore()));
    }
    return searches;
  }

  /** What waiting workloads take. */
  public List<Memory> memory() {
    List<Memory> rows = new ArrayList<>();
    for (int workloads : sizes(100_000, 1_000_000)) {
      for (Variety variety : Variety.values()) {
        rows.add(new Memory(workloads, variety, PendingMemory.bytes(workloads, variety)));
      }
    }
    return rows;
  }

  /** The stories that the field compares with, each played once. */
  public List<Story.Ending> stories() {
    List<Story.Ending> endings = new ArrayList<>();
    for (Story.Plot plot : List.of(Story.Plot.BASELINE, Story.Plot.LARGE_SCALE)) {
      endings.add(Story.play(plot, true));
      endings.add(Story.play(plot, false));
    }
    return endings;
  }

  private Iterable<RunResult> run(Class<?> benchmark, String name, String value)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(benchmark.getName() + "\\..*")
            .param(name, value)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .warmupIterations(brief ? 2 : 4)
            .measurementIterations(brief ? 2 : 5)
            .warmupTime(TimeValue.seconds(1))
            .measurementTime(TimeValue.seconds(1));
    return new Runner(options.build()).run();
  }
}
