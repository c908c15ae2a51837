package dev.sluice.bench.engine;

import dev.sluice.bench.engine.EngineReport.Crowd;
import dev.sluice.bench.engine.EngineReport.Cycles;
import dev.sluice.bench.engine.EngineReport.ForkTime;
import dev.sluice.bench.engine.EngineReport.Memory;
import dev.sluice.bench.engine.EngineReport.Search;
import dev.sluice.bench.engine.EngineReport.SnapshotTime;
import dev.sluice.bench.engine.PendingMemory.Variety;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks over their sizes; the short form leaves out most sizes and half the time. */
public final class EngineMeasurements {
  private static final int[] CROWDS = {1000, 10_000, 100_000, 1_000_000};
  private static final Pattern LARGE = Pattern.compile("\\b(10000 queues|1000000 pending)");

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
    if (!brief) {
      clusters.add(cluster(10_000, 2, 1_000_000, 2)); // docs/contributing/scale.md
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

  /**
   * Clusters that differ in nothing but in how many wait: one tree of a hundred queues, in which a
   * place that gets free wakes four kinds of workloads in each.
   */
  public List<String> crowds() {
    List<String> crowds = new ArrayList<>();
    for (int pending : brief ? new int[] {1000, 100_000} : CROWDS) {
      crowds.add(cluster(100, 2, pending, 1));
    }
    return crowds;
  }

  /** One place that gets free in one of the {@link #crowds}. */
  public Crowd crowd(String cluster) throws RunnerException {
    RunResult result = only(run(CycleBenchmark.class, "onePlace", "cluster", cluster));
    double operations = counted(result, "operations");
    return new Crowd(
        BusyQueues.Scale.parse(cluster),
        counted(result, "cycles") / operations,
        counted(result, "heads") / operations,
        counted(result, "cpuNanos") / operations / 1000);
  }

  private static RunResult only(Collection<RunResult> results) {
    return results.iterator().next();
  }

  /** Cycles of one of the {@link #clusters}. */
  public Cycles cycles(String cluster) throws RunnerException {
    var scale = BusyQueues.Scale.parse(cluster);
    RunResult place = only(run(CycleBenchmark.class, "onePlace", "cluster", cluster));
    RunResult all = only(run(CycleBenchmark.class, "onePlaceInEveryQueue", "cluster", cluster));
    RunResult edit = only(run(CycleBenchmark.class, "quotaEdit", "cluster", cluster));
    RunResult idle = only(run(CycleBenchmark.class, "quotaEditForNobody", "cluster", cluster));
    double one = microsOfAnOperation(place);
    double cycles = counted(place, "cycles") / counted(place, "admissions");
    return new Cycles(
        scale,
        one,
        cycles * 1e6 / one,
        microsOfAnOperation(all) / scale.queues(),
        microsOfAnOperation(edit),
        microsOfAnOperation(idle));
  }

  private static double microsOfAnOperation(RunResult result) {
    return counted(result, "cpuNanos") / counted(result, "operations") / 1000;
  }

  private static double counted(RunResult result, String name) {
    return Objects.requireNonNull(result.getSecondaryResults().get(name)).getScore();
  }

  /** Snapshots of clusters with a small and a large crowd that waits. */
  public List<SnapshotTime> snapshots() throws RunnerException {
    List<SnapshotTime> times = new ArrayList<>();
    for (int pending : sizes(1000, 1_000_000)) {
      String cluster = cluster(1000, 2, pending, 2);
      RunResult result = only(run(SnapshotBenchmark.class, "snapshot", "cluster", cluster));
      times.add(new SnapshotTime(pending, result.getPrimaryResult().getScore()));
    }
    return times;
  }

  /** Forks of clusters with a small and a large crowd that waits. */
  public List<ForkTime> forks() throws RunnerException {
    List<ForkTime> times = new ArrayList<>();
    for (int pending : sizes(50_000, 1_000_000)) {
      String cluster = cluster(1000, 2, pending, 2);
      times.add(
          new ForkTime(
              pending,
              score("fork", cluster),
              score("goOn", cluster),
              score("forkAndGoOn", cluster)));
    }
    return times;
  }

  private double score(String method, String cluster) throws RunnerException {
    return only(run(ForkBenchmark.class, method, "cluster", cluster)).getPrimaryResult().getScore();
  }

  /** Searches among many candidates. */
  public List<Search> searches() throws RunnerException {
    List<Search> searches = new ArrayList<>();
    for (RunResult result : run(PreemptionBenchmark.class, "search", "candidates", "10000")) {
      searches.add(
          new Search(
              10_000,
              Integer.parseInt(result.getParams().getParam("victims")),
              Boolean.parseBoolean(result.getParams().getParam("fair")),
              counted(result, "cpuNanos") / counted(result, "searches") / 1000));
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

  /** The stories that the field compares with, all of them once, and then all again. */
  public List<Story.Ending> stories() {
    List<Story.Ending> endings = new ArrayList<>();
    for (int time = 0; time < 2; time++) {
      for (Story.Plot plot : List.of(Story.Plot.BASELINE, Story.Plot.LARGE_SCALE)) {
        endings.add(Story.play(plot, true));
        endings.add(Story.play(plot, false));
      }
    }
    return endings;
  }

  /** The stories recorded and decided again; the second time is that of a warm JVM. */
  public List<RecordedStory.Cost> recordings() {
    List<RecordedStory.Cost> costs = new ArrayList<>();
    for (int time = 0; time < 2; time++) {
      costs.add(RecordedStory.of(Story.Plot.BASELINE));
      if (!brief) {
        costs.add(RecordedStory.of(Story.Plot.LARGE_SCALE));
      }
    }
    return costs;
  }

  /** Runs one benchmark with that value; less often where an operation takes long. */
  private Collection<RunResult> run(Class<?> benchmark, String method, String name, String value)
      throws RunnerException {
    boolean large = LARGE.matcher(value).find();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(Pattern.quote(benchmark.getName() + "." + method) + "$")
            .param(name, value)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .warmupIterations(brief || large ? 2 : 4)
            .measurementIterations(brief || large ? 2 : 5)
            .warmupTime(TimeValue.seconds(1))
            .measurementTime(TimeValue.seconds(1));
    return new Runner(options.build()).run();
  }
}
