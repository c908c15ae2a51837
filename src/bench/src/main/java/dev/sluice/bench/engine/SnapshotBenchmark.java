package dev.sluice.bench.engine;

import dev.sluice.quota.Snapshot;
import java.util.concurrent.TimeUnit;
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

/** A snapshot, and a snapshot after each end of a workload with its cycle. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class SnapshotBenchmark {
  /** How large the cluster is. */
  @Param({"1000 queues, depth 2, 100000 pending, 2 flavors"})
  public String cluster;

  private BusyQueues queues;

  /** Makes the cluster. */
  @Setup
  public void makeCluster() {
    queues = new BusyQueues(BusyQueues.Scale.parse(cluster));
  }

  /** Takes one of a state that did not change. */
  @Benchmark
  public Snapshot snapshot() {
    return queues.engine().snapshot(queues.now());
  }
}
