package dev.sluice.bench.engine;

import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.visibility.Page;
import dev.sluice.see.visibility.PendingWorkload;
import dev.sluice.see.visibility.PendingWorkloads;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A page of 1,000 of the 100,000 Workloads that wait in one ClusterQueue, from the 90,000th on, as
 * the visibility API gives it, without its JSON. The line is made once for each snapshot in which
 * something has changed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 5)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class LineBenchmark {
  private static final int WAITING = 100_000;
  private static final Page PAGE = new Page(90_000, 1_000);
  private static final String QUEUE = "queue";
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  private static final int PRIORITIES = 3;

  private List<Workload> templates;
  private QuotaEngine engine;
  private Snapshot snapshot;
  private int changes;

  /** Makes the queue. */
  @Setup(Level.Trial)
  public void makeQueue() {
    templates =
        IntStream.range(0, PRIORITIES).mapToObj(it -> EngineObjects.template(1, it)).toList();
    engine = new QuotaEngine(EngineConfiguration.defaults());
    tell(EngineObjects.namespace());
    tell(EngineObjects.flavor("flavor"));
    tell(EngineObjects.clusterQueue(QUEUE, "", List.of("flavor"), 1, 0, false));
    tell(EngineObjects.localQueue(QUEUE));
    for (int i = 0; i < WAITING; i++) {
      put(i);
    }
    snapshot = engine.snapshot(NOW);
  }

  private void tell(Change change) {
    engine.apply(change, NOW);
  }

  private void put(int number) {
    tell(
        Change.upserted(
            ObjectKind.WORKLOAD,
            EngineObjects.workload(
                templates.get(number % PRIORITIES),
                "waiting-" + number,
                QUEUE,
                NOW.plusMillis(number))));
  }

  private static List<PendingWorkload> page(Snapshot of) {
    return PendingWorkloads.ofClusterQueue(of, QUEUE, PAGE).orElseThrow();
  }

  /** Of a snapshot whose line is known. */
  @Benchmark
  public List<PendingWorkload> known() {
    return page(snapshot);
  }

  /** After one Workload more has come. */
  @Benchmark
  public List<PendingWorkload> afterAChange() {
    changes++;
    put(WAITING + changes);
    return page(engine.snapshot(NOW));
  }
}
