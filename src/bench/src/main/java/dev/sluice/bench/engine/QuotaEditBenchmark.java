package dev.sluice.bench.engine;

import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.forecast.VirtualCluster;
import dev.sluice.see.whatif.QuotaEdit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
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
 * Who loses quota by an edit of a ClusterQueue, as an admission warning says it: 10,000 Workloads
 * in 1,000 ClusterQueues, of which six in ten wait. Nothing is left to decide, as in a scheduler.
 * Each edit takes the quota of a ClusterQueue, or doubles it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 5)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class QuotaEditBenchmark {
  private static final int QUEUES = 1_000;
  private static final int RUNNING = 4;
  private static final int WAITING = 6;
  private static final int NOMINAL = 3;
  private static final List<String> FLAVORS = List.of("flavor-0", "flavor-1");
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  /** How many ClusterQueues share quota. */
  @Param({"1", "10", "100", "1000"})
  public int queuesOfTree;

  private final Random random = new Random(1);
  private QuotaEngine engine;

  /** Makes the cluster. */
  @Setup(Level.Trial)
  public void makeCluster() {
    engine = new QuotaEngine(EngineConfiguration.defaults());
    tell(EngineObjects.namespace());
    FLAVORS.forEach(flavor -> tell(EngineObjects.flavor(flavor)));
    for (int i = 0; i < QUEUES; i++) {
      tell(clusterQueue(i, NOMINAL));
      tell(EngineObjects.localQueue(queue(i)));
      for (int j = 0; j < RUNNING; j++) {
        String flavor = FLAVORS.get(j % FLAVORS.size());
        put(
            EngineObjects.holding(
                template(1, 2), "running-%d-%d".formatted(i, j), queue(i), flavor, NOW));
      }
      for (int j = 0; j < WAITING; j++) {
        put(
            EngineObjects.workload(
                template(2, 3), "waiting-%d-%d".formatted(i, j), queue(i), NOW.plusMillis(j)));
      }
    }
    new VirtualCluster(engine, NOW.plusSeconds(1), (_, _) -> Double.POSITIVE_INFINITY).settle();
  }

  private static String queue(int number) {
    return "queue-" + number;
  }

  private Change clusterQueue(int number, int nominal) {
    return EngineObjects.clusterQueue(
        queue(number), "tree-" + number / queuesOfTree, FLAVORS, nominal, 2, true);
  }

  /** With so much cpu at least, and a priority below that bound. */
  private Workload template(int cpu, int priorities) {
    return EngineObjects.template(cpu + random.nextInt(2), random.nextInt(priorities));
  }

  private void tell(Change change) {
    engine.apply(change, NOW);
  }

  private void put(Workload workload) {
    tell(Change.upserted(ObjectKind.WORKLOAD, workload));
  }

  /** An edit of one of the ClusterQueues. */
  @Benchmark
  public Optional<List<QuotaEdit.Loss>> losses() {
    Change edit = clusterQueue(random.nextInt(QUEUES), random.nextBoolean() ? 0 : 2 * NOMINAL);
    return QuotaEdit.losses(engine.fork(), edit, NOW.plusSeconds(2), () -> true);
  }
}
