package dev.sluice.bench.forecast;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.forecast.Arrivals;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.Forecaster;
import dev.sluice.see.forecast.VirtualCluster;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.see.runtimes.RunTimes;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What forecasts of a crowded cluster cost, as {@code sluice see} makes them: with the bounds, the
 * budget, and the rests that it has. For one thread.
 */
public final class ForecastCost implements VirtualCluster.Life {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  private static final Duration WARM = Duration.ofHours(2);
  private static final int SLOTS = 40;
  private static final int QUEUES_OF_A_COHORT = 5;
  private static final double MEDIAN_SECONDS = 1_200;
  private static final long BUDGET = Duration.ofMillis(1_700).toNanos();
  private static final double LEAST_REST = 10;
  private static final int REST = 11;

  /**
   * One forecast of all that wait.
   *
   * @param wall the seconds that it took, from the fork to the last one
   * @param cpu the seconds of the thread that made it
   * @param process the seconds of all threads, those of the JVM included
   * @param statuses how many there are of each status
   */
  public record Round(
      int waiting,
      int plays,
      double wall,
      double cpu,
      double process,
      Map<String, Integer> statuses) {
    /** The part of a core that such forecasts take, rests included. */
    public double share() {
      return process / (wall + Math.max(LEAST_REST, REST * cpu));
    }
  }

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final VirtualCluster cluster = new VirtualCluster(engine, START, this);
  private final Map<ObjectKey, Double> seconds = new HashMap<>();
  private final HistoryTracker tracker = new HistoryTracker();
  private final RunTimes runTimes = new RunTimes();
  private final Arrivals arrivals = new Arrivals();

  private ForecastCost(int queues, int jobs) {
    tell(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'default'}}");
    tell(ObjectKind.RESOURCE_FLAVOR, ResourceFlavor.class, "{'metadata':{'name':'f'},'spec':{}}");
    for (int queue = 0; queue < queues; queue++) {
      tell(
          ObjectKind.CLUSTER_QUEUE,
          ClusterQueue.class,
          """
          {'metadata':{'name':'q%d'},'spec':{'namespaceSelector':{},'cohortName':'c%d',
          'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
          {'name':'cpu','nominalQuota':'%d'}]}]}]}}\
          """
              .formatted(queue, queue / QUEUES_OF_A_COHORT, SLOTS));
      tell(
          ObjectKind.LOCAL_QUEUE,
          LocalQueue.class,
          "{'metadata':{'name':'q%d','namespace':'default'},'spec':{'clusterQueue':'q%d'}}"
              .formatted(queue, queue));
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int job = 0; job < jobs; job++) {
      comes(job, job % queues, random);
    }
  }

  private void comes(int job, int queue, SplittableRandom random) {
    int kind = random.nextInt(6);
    Instant arrives = START.plusMillis(random.nextLong(WARM.toMillis()));
    String name = "kind-%d-%05d".formatted(kind, job);
    seconds.put(
        new ObjectKey("default", name),
        MEDIAN_SECONDS * (0.5 + 0.2 * kind) * Math.exp(0.5 * random.nextGaussian()));
    cluster.arrivesAt(
        arrives,
        read(
            Workload.class,
            """
            {'metadata':{'name':'%s','namespace':'default','uid':'%s','creationTimestamp':'%s'},
            'spec':{'queueName':'q%d','priority':0,'podSets':[{'name':'main','count':1,'template':{
            'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}}]}}\
            """
                .formatted(name, name, arrives, queue)));
  }

  private <T> void tell(ObjectKind<T> kind, Class<T> type, String json) {
    engine.apply(Change.upserted(kind, read(type, json)), START);
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  /**
   * Measures forecasts, one a minute of virtual time while jobs end.
   *
   * @param waiting about so many wait
   */
  public static List<Round> run(int queues, int waiting, int rounds) {
    // what runs at first, and what ends while the others come
    int slots = queues * SLOTS;
    int ended = (int) (slots * WARM.toSeconds() / (MEDIAN_SECONDS * 1.13));
    return new ForecastCost(queues, waiting + slots + ended).run(rounds);
  }

  private List<Round> run(int rounds) {
    Instant due = START.plus(WARM);
    List<Round> measured = new ArrayList<>();
    while (measured.size() < rounds && cluster.step()) {
      if (!cluster.now().isBefore(due)) {
        measured.add(measure());
        due = cluster.now().plus(Duration.ofMinutes(1));
      }
    }
    return measured;
  }

  private Round measure() {
    long wall = System.nanoTime();
    long process = PROCESS.getProcessCpuTime();
    long began = THREADS.getCurrentThreadCpuTime();
    Instant now = cluster.now();
    Map<ObjectKey, Forecast> forecasts =
        Forecaster.run(
            cluster.fork(),
            now,
            runTimes.model(tracker.unfinished(), now),
            tracker::find,
            arrivals,
            Forecaster.Bounds.USUAL,
            now.getEpochSecond(),
            isNeeded -> isNeeded || THREADS.getCurrentThreadCpuTime() - began < BUDGET);
    Map<String, Integer> statuses = new TreeMap<>();
    forecasts.values().forEach(it -> statuses.merge(it.status().text(), 1, Integer::sum));
    return new Round(
        forecasts.size(),
        forecasts.values().stream().mapToInt(it -> it.basis().plays()).findFirst().orElse(0),
        (System.nanoTime() - wall) / 1e9,
        (THREADS.getCurrentThreadCpuTime() - began) / 1e9,
        (PROCESS.getProcessCpuTime() - process) / 1e9,
        statuses);
  }

  @Override
  public boolean follows() {
    return true;
  }

  @Override
  public double seconds(WorkloadState workload, Instant now) {
    return seconds.getOrDefault(workload.key(), Double.POSITIVE_INFINITY);
  }

  @Override
  public void changed(WorkloadState workload, Instant now) {
    tracker.seen(workload, now).forEach(this::take);
  }

  @Override
  public void deleted(ObjectKey workload, Instant now) {
    tracker.deleted(workload, "", now).forEach(this::take);
  }

  private void take(HistoryLine line) {
    runTimes.add(line);
    arrivals.add(line);
  }
}
