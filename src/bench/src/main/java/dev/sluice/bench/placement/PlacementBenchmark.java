package dev.sluice.bench.placement;

import dev.sluice.quota.decision.Outcome;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
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
 * A half-full forest: a workload of two pods ends and another one is placed. An operation is all
 * the engine does for that, the cycle included.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class PlacementBenchmark {
  /** Racks and nodes in each: 640, 5,000 and 60,000 nodes. */
  @Param({"10 x 64", "50 x 100", "600 x 100"})
  public String forest;

  /** How near each other the pods have to be. */
  @Param({"required", "preferred", "balanced", "unconstrained"})
  public String manner;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private PlacedCluster cluster;

  /** What happened in an iteration. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Events {
    /** Operations that were carried out. */
    public long operations;

    /** Processor time of the thread, in nanoseconds. */
    public long cpuNanos;
  }

  /** Makes the nodes, and workloads on half of them. */
  @Setup
  public void makeCluster() {
    cluster = PlacedCluster.parse(forest, manner);
  }

  /** One ends, another one is placed. */
  @Benchmark
  public Outcome.Place oneForAnother(Events events) {
    long start = THREADS.getCurrentThreadCpuTime();
    Outcome.Place place = cluster.oneForAnother();
    if (place != Outcome.Place.RESERVED) {
      throw new IllegalStateException(place + " (expected: a place for it)");
    }
    events.operations++;
    events.cpuNanos += THREADS.getCurrentThreadCpuTime() - start;
    return place;
  }
}
