package dev.sluice.see.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.Queues;
import dev.sluice.see.forecast.VirtualCluster;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.see.history.QuotaChange;
import dev.sluice.see.report.UsageReport.Group;
import dev.sluice.see.report.UsageReport.Hours;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sums of a report are the integrals of what the engine counts. */
class ReportLawTest {
  private static final Map<String, Integer> QUOTAS = Map.of("p", 8, "q", 12);

  /** A random load, whose history is kept, and whose use is summed up as it goes. */
  private static final class World implements VirtualCluster.Life {
    private final Random random;
    private final HistoryTracker tracker = new HistoryTracker();
    private final List<HistoryLine> lines = new ArrayList<>();
    private final Map<String, Double> held = new TreeMap<>();
    private final Map<String, Double> borrowed = new TreeMap<>();
    private final VirtualCluster cluster;
    private final Instant begin;

    World(long seed) {
      random = new Random(seed);
      Queues queues = new Queues();
      QUOTAS.forEach(
          (name, cores) ->
              queues.clusterQueue(
                  name,
                  cores,
                  "'cohortName':'c','preemption':{'reclaimWithinCohort':'Any',"
                      + "'withinClusterQueue':'LowerPriority'},"));
      queues.localQueue("a", "p", "p");
      queues.localQueue("b", "q", "q");
      begin = queues.now();
      cluster = new VirtualCluster(queues.engine(), begin, this);
      Snapshot snapshot = queues.snapshot();
      for (String name : QUOTAS.keySet()) {
        ClusterQueue queue = requireNonNull(snapshot.clusterQueue(name), name);
        lines.addAll(tracker.seen(QuotaChange.of(queue, begin)));
      }
      Instant at = begin;
      for (int i = 0; i < 120; i++) {
        at = at.plusSeconds(random.nextInt(90));
        boolean first = random.nextBoolean();
        cluster.arrivesAt(at, workload(i, first ? "a" : "b", first ? "p" : "q", at));
      }
    }

    private Workload workload(int number, String namespace, String queue, Instant at) {
      String json =
          """
          {'metadata':{'name':'w%d','namespace':'%s','uid':'u%d','creationTimestamp':'%s'},
          'spec':{'queueName':'%s','priority':%d,'podSets':[{'name':'main','count':%d,'template':
          {'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}}]}}\
          """
              .formatted(
                  number, namespace, number, at, queue, random.nextInt(3), 1 + random.nextInt(6));
      return HubObjects.read(Workload.class, json.replace('\'', '"').getBytes(UTF_8));
    }

    /** Plays so many steps, and returns the time that it is then. */
    Instant play(int steps) {
      for (int i = 0; i < steps && cluster.next().isPresent(); i++) {
        Duration time = Duration.between(cluster.now(), cluster.next().orElseThrow());
        QUOTAS.forEach((queue, cores) -> count(queue, cores * 1_000L, time.toMillis() / 1000.0));
        cluster.step();
      }
      return cluster.now();
    }

    private void count(String queue, long nominal, double seconds) {
      Snapshot snapshot = cluster.snapshot();
      for (WorkloadState holder : snapshot.holders(queue)) {
        holder
            .usage()
            .forEach(
                (_, amount) -> held.merge(queue, amount / 1_000.0 * seconds / 3_600, Double::sum));
      }
      long used = snapshot.holders(queue).stream().mapToLong(it -> it.usage().amount(0)).sum();
      double over = Math.max(0, used - nominal) / 1_000.0;
      borrowed.merge(queue, over * seconds / 3_600, Double::sum);
    }

    @Override
    public double seconds(WorkloadState workload, Instant now) {
      return 30 + random.nextInt(600);
    }

    @Override
    public boolean follows() {
      return true;
    }

    @Override
    public void changed(WorkloadState workload, Instant now) {
      lines.addAll(tracker.seen(workload, now));
    }

    @Override
    public void deleted(ObjectKey workload, Instant now) {
      lines.addAll(tracker.deleted(workload, "", now));
    }
  }

  private static double sum(UsageReport report) {
    return report.groups().stream()
        .flatMap(it -> it.hours().stream())
        .mapToDouble(Hours::held)
        .sum();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theHoursOfAQueueAreTheIntegralOfItsReservations(long seed) {
    World world = new World(seed);
    Instant end = world.play(180); // some still run and wait

    ReportBuilder builder = new ReportBuilder(world.begin, end, Grouping.QUEUE);
    world.lines.forEach(builder::add);
    world.tracker.open(end).forEach(builder::add);
    UsageReport report = builder.build();

    assertThat(report.groups()).hasSize(2);
    for (Group group : report.groups()) {
      Hours hours = group.hours().getFirst();
      assertThat(hours.held()).isCloseTo(world.held.get(group.name()), withinPercentage(0.1));
      assertThat(hours.borrowed())
          .isCloseTo(world.borrowed.get(group.name()), withinPercentage(0.1));
    }
    assertThat(report.groups().stream().mapToDouble(it -> it.hours().getFirst().lent()).sum())
        .isCloseTo(
            world.borrowed.values().stream().mapToDouble(it -> it).sum(), withinPercentage(0.1));
  }

  @ParameterizedTest
  @EnumSource(Grouping.class)
  void everyGroupingHasTheSameSum(Grouping by) {
    World world = new World(9);
    Instant end = world.play(1_000);

    ReportBuilder builder = new ReportBuilder(world.begin, end, by);
    world.lines.forEach(builder::add);

    assertThat(sum(builder.build()))
        .isCloseTo(world.held.values().stream().mapToDouble(it -> it).sum(), withinPercentage(0.1));
  }
}
