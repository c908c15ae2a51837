package dev.sluice.bench.engine;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.forecast.Course;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.forecast.Reach;
import dev.sluice.see.forecast.VirtualCluster;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a simulation asks of the engine, among 10,000 Workloads in 1,000 ClusterQueues in which
 * nothing is left to decide: whether one more Workload gets quota, and the queues played forward
 * for an hour, with that Workload and without it. About 3,000 hold quota, and half of them end in
 * that hour.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 2, time = 10)
@Measurement(iterations = 3, time = 10)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class SimulationBenchmark {
  private static final Duration FORWARD = Duration.ofHours(1);
  private static final int LEAST_SECONDS = 600;
  private static final int MOST_SECONDS = 7_200;

  /** How many ClusterQueues share quota. */
  @Param({"1", "10"})
  public int queuesOfTree;

  private final Random random = new Random(1);
  private QuotaEngine engine;

  /** Makes the cluster. */
  @Setup(Level.Trial)
  public void makeCluster() {
    engine = new ThousandQueues(queuesOfTree, random).engine();
    engine.snapshot(ThousandQueues.NOW).workloads().forEach(this::limit);
    new VirtualCluster(engine, ThousandQueues.NOW, (_, _) -> Double.POSITIVE_INFINITY).settle();
  }

  /** Its user says how long it runs. */
  private void limit(WorkloadState state) {
    WorkloadSpec spec = state.workload().spec();
    put(
        engine,
        state
            .workload()
            .with(
                new WorkloadSpec(
                    spec.podSets(),
                    spec.queueName(),
                    spec.priorityClassRef(),
                    spec.priority(),
                    spec.active(),
                    random.nextInt(LEAST_SECONDS, MOST_SECONDS),
                    spec.preemptionGates())));
  }

  private static void put(QuotaEngine engine, Workload workload) {
    engine.apply(Change.upserted(ObjectKind.WORKLOAD, workload), ThousandQueues.NOW);
  }

  private QuotaEngine withOneMore() {
    QuotaEngine with = engine.fork();
    put(
        with,
        EngineObjects.workload(
            EngineObjects.template(1 + random.nextInt(3), random.nextInt(3)),
            "one-more",
            "queue-" + random.nextInt(ThousandQueues.QUEUES),
            ThousandQueues.NOW));
    new VirtualCluster(with, ThousandQueues.NOW, (_, _) -> Double.POSITIVE_INFINITY).settle();
    return with;
  }

  /** Whether one more gets quota. */
  @Benchmark
  public boolean oneMore() {
    WorkloadState state =
        withOneMore().snapshot(ThousandQueues.NOW).state(new ObjectKey("default", "one-more"));
    return state != null && state.holdsQuota();
  }

  /** When all that wait get quota within an hour, with one more and without it. */
  @Benchmark
  public List<Course.Played> forward() {
    QuotaEngine with = withOneMore();
    Snapshot after = with.snapshot(ThousandQueues.NOW);
    Set<String> reached =
        Reach.of(engine.snapshot(ThousandQueues.NOW), after, List.of(), _ -> false);
    return Course.play(
        List.of(engine.fork(), with),
        ThousandQueues.NOW,
        KnownRuns.none(ThousandQueues.NOW),
        FORWARD,
        reached::contains,
        () -> true);
  }
}
