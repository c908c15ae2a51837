package dev.sluice.bench.engine;

import dev.sluice.see.explain.Explainer;
import dev.sluice.see.explain.Explanation;
import dev.sluice.see.names.Names;
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
 * Why a Workload waits, with all that would help: 10,000 Workloads in 1,000 ClusterQueues, of which
 * six in ten wait. As in {@code sluice see}, the engine was told all of it and decided nothing.
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
public class ExplanationBenchmark {
  /** How many ClusterQueues share quota. */
  @Param({"1", "10", "100", "1000"})
  public int queuesOfTree;

  private ThousandQueues queues;

  /** Makes the cluster. */
  @Setup(Level.Trial)
  public void makeCluster() {
    queues = new ThousandQueues(queuesOfTree, new Random(1));
  }

  /** A question about one of those that wait. */
  @Benchmark
  public Explanation explain() {
    return Explainer.explain(
        queues.engine().fork(),
        queues.anyWaiting(),
        ThousandQueues.NOW.plusSeconds(1),
        Names.ALL,
        () -> "");
  }
}
