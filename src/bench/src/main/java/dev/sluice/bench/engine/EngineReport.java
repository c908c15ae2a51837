package dev.sluice.bench.engine;

import dev.sluice.bench.engine.PendingMemory.Variety;
import dev.sluice.bench.placement.PlacementMeasurements;
import dev.sluice.bench.report.Table;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The tables of what was measured. */
public final class EngineReport {
  private final StringBuilder text = new StringBuilder();

  /**
   * The cost of admissions, in processor time, which other load of the machine disturbs least.
   *
   * @param onePlace microseconds from the end of one workload until every workload that was woken
   *     by it is asleep again
   * @param cyclesASecond while that happens over and over
   * @param eachQueue microseconds per admission, where a place gets free in every queue at once
   * @param quotaEdit microseconds from a change of a queue's quota, for which all in its tree wait,
   *     until everybody is asleep again
   * @param idleEdit the same for one for which no workload waits
   */
  public record Cycles(
      BusyQueues.Scale scale,
      double onePlace,
      double cyclesASecond,
      double eachQueue,
      double quotaEdit,
      double idleEdit) {}

  /**
   * What a place that gets free costs among so many who wait.
   *
   * @param cycles until every workload that was woken by it is asleep again
   * @param heads how often one of these cycles looked at somebody
   * @param micros processor time of all of them
   */
  public record Crowd(BusyQueues.Scale scale, double cycles, double heads, double micros) {}

  /** Nanoseconds for a snapshot. */
  public record SnapshotTime(int pending, double nanos) {}

  /** Microseconds of a fork, and of one place that gets free without and with a fork before it. */
  public record ForkTime(int pending, double fork, double goOn, double forkAndGoOn) {}

  /** Microseconds of a search for victims. */
  public record Search(int candidates, int victims, boolean fair, double micros) {}

  /** The heap that waiting workloads take. */
  public record Memory(int workloads, Variety variety, long bytes) {}

  /** All sections so far. */
  public String text() {
    return text.toString();
  }

  /** The table of one section as soon as it is known, which is kept too. */
  private String section(String title, Table table) {
    String section = "## " + title + "\n\n" + table.text() + "\n";
    text.append(section);
    return section;
  }

  /** Adds cycles; answers their section. */
  public String cycles(List<Cycles> rows) {
    Table table =
        new Table(
            List.of(
                "queues",
                "depth",
                "pending",
                "flavors",
                "one place, cpu us",
                "cycles/s",
                "a place in each queue, cpu us/admission",
                "admissions/s",
                "quota edit, cpu us",
                "edit nobody waits for, cpu us"));
    for (Cycles row : rows) {
      table.add(
          List.of(
              number(row.scale().queues()),
              number(row.scale().depth()),
              number(row.scale().pending()),
              number(row.scale().flavors()),
              number(row.onePlace()),
              number(Math.round(row.cyclesASecond())),
              number(row.eachQueue()),
              number(Math.round(1e6 / row.eachQueue())),
              number(row.quotaEdit()),
              number(row.idleEdit())));
    }
    return section("Cycles", table);
  }

  /** Adds crowds; answers their section. */
  public String crowds(List<Crowd> rows) {
    Table table =
        new Table(
            List.of("parked", "cycles", "heads looked at", "a cycle, cpu us", "a head, cpu us"));
    for (Crowd row : rows) {
      table.add(
          List.of(
              number(row.scale().pending()),
              number(row.cycles()),
              number(row.heads()),
              number(row.micros() / row.cycles()),
              number(row.micros() / row.heads())));
    }
    return section("One place among many who wait", table);
  }

  /** Adds snapshots; answers their section. */
  public String snapshots(List<SnapshotTime> rows) {
    Table table = new Table(List.of("pending", "snapshot, ns"));
    rows.forEach(row -> table.add(List.of(number(row.pending()), number(row.nanos()))));
    return section("Snapshots", table);
  }

  /** Adds forks; answers their section. */
  public String forks(List<ForkTime> rows) {
    Table table =
        new Table(List.of("pending", "fork, us", "a place gets free, us", "after a fork, us"));
    rows.forEach(
        row ->
            table.add(
                List.of(
                    number(row.pending()),
                    number(row.fork()),
                    number(row.goOn()),
                    number(row.forkAndGoOn()))));
    return section("Forks", table);
  }

  /** Adds searches; answers their section. */
  public String searches(List<Search> rows) {
    Table table = new Table(List.of("candidates", "victims", "fair sharing", "search, ms"));
    for (Search row : rows) {
      table.add(
          List.of(
              number(row.candidates()),
              number(row.victims()),
              row.fair() ? "yes" : "no",
              number(row.micros() / 1000)));
    }
    return section("Preemption", table);
  }

  /** Adds placements; answers their section. */
  public String placements(
      List<PlacementMeasurements.Cost> costs, List<PlacementMeasurements.Weight> weights) {
    Table table = new Table(List.of("racks x nodes", "manner", "cpu us", "placements/s"));
    for (PlacementMeasurements.Cost cost : costs) {
      table.add(
          List.of(
              cost.forest(),
              cost.manner(),
              number(cost.micros()),
              number(Math.round(1e6 / cost.micros()))));
    }
    Table heap = new Table(List.of("racks x nodes", "workloads", "MiB"));
    weights.forEach(
        row -> heap.add(List.of(row.forest(), number(row.workloads()), number(row.bytes() >> 20))));
    return section("Placements", table) + section("Memory of forests", heap);
  }

  /** Adds memory; answers their section. */
  public String memory(List<Memory> rows) {
    Table table =
        new Table(List.of("pending", "variety", "MiB", "KiB per 1,000", "of 2 GiB a million"));
    for (Memory row : rows) {
      double each = (double) row.bytes() / row.workloads();
      table.add(
          List.of(
              number(row.workloads()),
              row.variety().words(),
              number(row.bytes() >> 20),
              number(Math.round(each * 1000 / 1024)),
              number(Math.round(100 * each * 1e6 / (2L << 30))) + " %"));
    }
    return section("Memory of pending workloads", table);
  }

  /** Adds recorded stories; answers their section. */
  public String recordings(List<RecordedStory.Cost> costs) {
    Table table =
        new Table(
            List.of(
                "recorded story",
                "workloads",
                "events",
                "bytes/workload",
                "engine, cpu us/workload",
                "recorder, cpu us/workload",
                "replay, cpu s",
                "the same"));
    for (RecordedStory.Cost cost : costs) {
      int workloads = cost.plot().workloads();
      table.add(
          List.of(
              cost.plot().name(),
              number(workloads),
              number(cost.events()),
              number(cost.bytes() / workloads),
              number(cost.engine().toNanos() / 1e3 / workloads),
              number(cost.recording().toNanos() / 1e3 / workloads),
              number(seconds(cost.replay())),
              cost.same() ? "yes" : "NO"));
    }
    return section("Recorder", table);
  }

  /** Adds stories; answers their section. */
  public String stories(List<Story.Ending> endings) {
    Table table =
        new Table(
            List.of(
                "story",
                "workloads",
                "queues",
                "who gave way",
                "played",
                "quota bound, s",
                "simulated, s",
                "above",
                "cpu, s",
                "cycles",
                "admissions",
                "gave way",
                "cpu s lost",
                "small, s",
                "medium, s",
                "large, s"));
    Set<String> played = new HashSet<>();
    for (Story.Ending ending : endings) {
      Story.Plot plot = ending.plot();
      boolean isFirst = played.add(plot.name() + ending.keepsProgress());
      double bound = seconds(plot.quotaBound());
      table.add(
          List.of(
              plot.name(),
              number(plot.workloads()),
              number((long) plot.cohorts() * plot.queues()),
              ending.keepsProgress() ? "goes on" : "starts over",
              isFirst ? "first" : "again",
              number(bound),
              number(seconds(ending.simulated())),
              number(100 * (seconds(ending.simulated()) / bound - 1)) + " %",
              number(seconds(ending.computing())),
              number(ending.cycles()),
              number(ending.admissions()),
              number(ending.preempted()),
              number(ending.lost()),
              waited(ending, "small"),
              waited(ending, "medium"),
              waited(ending, "large")));
    }
    return section("Stories", table);
  }

  private static String waited(Story.Ending ending, String kind) {
    return number(seconds(ending.untilAdmission().getOrDefault(kind, Duration.ZERO)));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, Math.abs(number) < 100 ? "%.2f" : "%,.0f", number);
  }
}
