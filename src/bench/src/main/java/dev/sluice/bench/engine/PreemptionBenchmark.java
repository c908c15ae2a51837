package dev.sluice.bench.engine;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.Nominated;
import dev.sluice.quota.assign.Nominator;
import dev.sluice.quota.assign.Placement;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The search for victims among all who hold quota in a tree: nine queues borrow everything that the
 * tenth one owns, which now wants a part of it back. Flavors are looked for too, as in a cycle, so
 * that victims are searched for once per flavor and once in the end.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class PreemptionBenchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Instant NOW = BusyQueues.START.plusSeconds(100_000);

  /** How many hold quota. */
  @Param({"10000"})
  public int candidates;

  /** How many are evicted. */
  @Param({"1", "1000"})
  public int victims;

  /** Whether shares decide, and not ownership and priority. */
  @Param({"false", "true"})
  public boolean fair;

  private Snapshot snapshot;
  private QuotaTree tree;
  private Nominator nominator;
  private Head head;

  /** Makes the cluster. */
  @Setup
  public void makeCluster() {
    EngineConfiguration configuration = EngineConfiguration.defaults();
    if (fair) {
      configuration = configuration.withFairSharing(FairSharing.BOTH);
    }
    var engine = new QuotaEngine(configuration);
    engine.apply(EngineObjects.namespace(), NOW);
    Change.Upserted<ResourceFlavor> flavor = EngineObjects.flavor("flavor");
    engine.apply(flavor, NOW);
    int nominal = candidates / 10;
    QueueRules rules = queue(engine, "queue-0", nominal);
    for (int i = 1; i < 10; i++) {
      queue(engine, "queue-" + i, nominal);
    }
    fill(engine);
    Workload preemptor =
        EngineObjects.workload(
            EngineObjects.template(victims, 1), "preemptor", "queue-0", BusyQueues.START);
    engine.apply(Change.upserted(ObjectKind.WORKLOAD, preemptor), NOW);
    snapshot = engine.snapshot(NOW);
    tree = Objects.requireNonNull(snapshot.treeOf("queue-0"));
    ResourceFlavor plain = flavor.object();
    nominator = new Nominator(configuration, _ -> plain, Placement.ANYWHERE);
    head = new Head(state(preemptor), rules, false, null, null);
  }

  private static QueueRules queue(QuotaEngine engine, String name, int nominal) {
    Change.Upserted<ClusterQueue> queue =
        EngineObjects.clusterQueue(name, "all", List.of("flavor"), nominal, 100_000, true);
    engine.apply(queue, NOW);
    engine.apply(EngineObjects.localQueue(name), NOW);
    return new QueueRules(queue.object());
  }

  private void fill(QuotaEngine engine) {
    for (int i = 0; i < candidates; i++) {
      Workload workload =
          EngineObjects.holding(
              EngineObjects.template(1, i % 3),
              "running-" + i,
              "queue-" + (1 + i % 9),
              "flavor",
              BusyQueues.START.plusSeconds(i));
      engine.apply(Change.upserted(ObjectKind.WORKLOAD, workload), NOW);
    }
  }

  private WorkloadState state(Workload workload) {
    ObjectKey key = ObjectKey.of(workload.metadata());
    for (WorkloadState state : snapshot.workloads()) {
      if (state.key().equals(key)) {
        return state;
      }
    }
    throw new IllegalStateException(key + " is not there");
  }

  /** What happened in an iteration. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Events {
    /** Searches that were made. */
    public long searches;

    /** Processor time of the thread, in nanoseconds. */
    public long cpuNanos;
  }

  /** Looks for flavors and victims in a tree that was not searched before, as a cycle does. */
  @Benchmark
  public Nominated search(Events events) {
    long start = THREADS.getCurrentThreadCpuTime();
    Nominated nominated = search();
    events.searches++;
    events.cpuNanos += THREADS.getCurrentThreadCpuTime() - start;
    return nominated;
  }

  private Nominated search() {
    var trial = new TreeTrial(tree.ledger(), new Holders(snapshot), NOW);
    Nominated nominated = nominator.nominate(trial, head, Map.of());
    if (nominated.victims().size() != victims) {
      throw new IllegalStateException(nominated.victims().size() + " victims");
    }
    return nominated;
  }

  private record Holders(Snapshot snapshot) implements TreeTrial.Holders {
    @Override
    public List<WorkloadState> in(String queue) {
      return snapshot.holders(queue);
    }

    @Override
    public @Nullable Double localQueueUsage(WorkloadState workload) {
      return null;
    }
  }
}
