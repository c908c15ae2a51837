package dev.sluice.bench.engine;

import dev.sluice.see.forecast.VirtualCluster;
import dev.sluice.see.whatif.QuotaEdit;
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
  /** How many ClusterQueues share quota. */
  @Param({"1", "10", "100", "1000"})
  public int queuesOfTree;

  private final Random random = new Random(1);
  private ThousandQueues queues;

  /** Makes the cluster. */
  @Setup(Level.Trial)
  public void makeCluster() {
    queues = new ThousandQueues(queuesOfTree, random);
    new VirtualCluster(
            queues.engine(), ThousandQueues.NOW.plusSeconds(1), (_, _) -> Double.POSITIVE_INFINITY)
        .settle();
  }

  /** An edit of one of the ClusterQueues. */
  @Benchmark
  public Optional<List<QuotaEdit.Loss>> losses() {
    int nominal = random.nextBoolean() ? 0 : 2 * ThousandQueues.NOMINAL;
    return QuotaEdit.losses(
        queues.engine().fork(),
        queues.clusterQueue(random.nextInt(ThousandQueues.QUEUES), nominal),
        ThousandQueues.NOW.plusSeconds(2),
        () -> true);
  }
}
