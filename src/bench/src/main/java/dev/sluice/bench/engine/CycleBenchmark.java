package dev.sluice.bench.engine;

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
 * A cluster whose quota is all taken: one place gets free, or one in every queue, and is taken by
 * somebody who waits. An operation is all the engine does for it: the end of a workload, cycles
 * until nothing moves any more, the word that the decision is stored, and the arrival of another
 * one.
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
public class CycleBenchmark {
  /** How large the cluster is. */
  @Param({"1000 queues, depth 2, 100000 pending, 2 flavors"})
  public String cluster;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private BusyQueues queues;
  private int turn;

  /** What happened in an iteration. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Events {
    /** Workloads that were admitted. */
    public long admissions;

    /** Cycles that were run. */
    public long cycles;

    /** How often a cycle looked at somebody. */
    public long heads;

    /** Operations that were carried out. */
    public long operations;

    /** Processor time of the thread, in nanoseconds. */
    public long cpuNanos;
  }

  /** Makes the cluster. */
  @Setup
  public void makeCluster() {
    queues = new BusyQueues(BusyQueues.Scale.parse(cluster));
  }

  /** One place gets free. */
  @Benchmark
  public void onePlace(Events events) {
    long start = THREADS.getCurrentThreadCpuTime();
    turn = (turn + 1) % queues.queues();
    queues.finish(turn);
    settle(1, start, events);
  }

  /** One place gets free in every queue. */
  @Benchmark
  public void onePlaceInEveryQueue(Events events) {
    long start = THREADS.getCurrentThreadCpuTime();
    for (int queue = 0; queue < queues.queues(); queue++) {
      queues.finish(queue);
    }
    settle(queues.queues(), start, events);
  }

  /** The quota of one queue changes, for which all of its tree waits; no workload fits. */
  @Benchmark
  public void quotaEdit(Events events) {
    long start = THREADS.getCurrentThreadCpuTime();
    turn = (turn + 1) % queues.queues();
    queues.editQuota(turn);
    settle(0, start, events);
  }

  /** The quota of one queue changes, for which no workload waits. */
  @Benchmark
  public void quotaEditForNobody(Events events) {
    long start = THREADS.getCurrentThreadCpuTime();
    turn = (turn + 1) % queues.queues();
    queues.editMemory(turn);
    settle(0, start, events);
  }

  private void settle(int places, long start, Events events) {
    BusyQueues.Round round = queues.settle();
    if (round.admitted() != places) {
      throw new IllegalStateException(round.admitted() + " admitted, " + places + " places");
    }
    events.admissions += round.admitted();
    events.cycles += round.cycles();
    events.heads += round.heads();
    events.operations++;
    events.cpuNanos += THREADS.getCurrentThreadCpuTime() - start;
  }
}
