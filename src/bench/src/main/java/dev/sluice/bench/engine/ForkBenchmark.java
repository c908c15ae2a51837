package dev.sluice.bench.engine;

import dev.sluice.quota.QuotaEngine;
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

/** A fork of a busy engine, and what it costs the original to go on. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class ForkBenchmark {
  /** How large the cluster is. */
  @Param({"1000 queues, depth 2, 50000 pending, 2 flavors"})
  public String cluster;

  private BusyQueues queues;
  private int next;

  /** Makes the cluster. */
  @Setup(Level.Trial)
  public void makeCluster() {
    queues = new BusyQueues(BusyQueues.Scale.parse(cluster));
  }

  /** A fork, of which nothing is asked. */
  @Benchmark
  public QuotaEngine fork() {
    return queues.engine().fork();
  }

  /** A workload ends, and cycles until nothing moves. */
  @Benchmark
  public BusyQueues.Round goOn() {
    queues.finish(next++ % queues.queues());
    return queues.settle();
  }

  /** The same with a fork before it, so that the original copies what it changes. */
  @Benchmark
  public BusyQueues.Round forkAndGoOn() {
    queues.engine().fork();
    return goOn();
  }
}
