package dev.sluice.bench.placement;

import dev.sluice.quota.decision.Outcome;
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
  @Param({"required", "preferred", "unconstrained"})
  public String manner;

  private PlacedCluster cluster;

  /** Makes the nodes, and workloads on half of them. */
  @Setup
  public void makeCluster() {
    String[] sizes = forest.split(" x ", -1);
    cluster = new PlacedCluster(Integer.parseInt(sizes[0]), Integer.parseInt(sizes[1]), manner);
  }

  /** One ends, another one is placed. */
  @Benchmark
  public Outcome.Place oneForAnother() {
    return cluster.oneForAnother();
  }
}
