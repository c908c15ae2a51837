package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.hostile.LauncherFlags;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.kinds.RunningPods;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a Workload costs the scheduler in processor time: Jobs alone, and jobs of all kinds with as
 * many Pods, in short turns and in one run. The speed of a machine changes within a minute, so the
 * median of the ratios of turns beside each other counts. Its JVM has the flags of the launcher:
 * without the optimizing compiler, a Job costs half as much again. The short form only tells a cost
 * of another order; docs/contributing/benchmarks.md says how the long one is run.
 */
@FullTier
@NeedsControlPlane
@Timeout(value = 1, unit = TimeUnit.HOURS) // the long form
class KindCostE2E {
  /** Pairs of turns, one with Jobs alone and one with all kinds. */
  private static final int PAIRS = Tier.number("sluice.kinds.cost", 2, 2);

  private static final boolean IS_LONG = PAIRS >= 10;

  /** How many jobs are in each turn. */
  private static final int JOBS = IS_LONG ? 75 : 15;

  /** By how much more a Workload of any kind may cost. */
  private static final double MOST = IS_LONG ? 1.1 : 4;

  /** Nobody has to wait: a Job asks for less than other kinds do, so it would wait less often. */
  private static final QueueNode TREE =
      QueueNode.cohort("kinds-cost", List.of(QueueNode.queue("kinds-cost-a", 1_000, null, null)));

  /**
   * Turns of all kinds before. The code of 15 kinds takes longer to be compiled than that of one: a
   * Workload of them took less and less until about the fortieth turn.
   */
  private static final int WARM_UPS = IS_LONG ? 40 : 1;

  /** How long the scheduler is watched while nothing happens. */
  private static final Duration IDLE = Duration.ofSeconds(IS_LONG ? 20 : 2);

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  /**
   * What a turn took.
   *
   * @param processor processor time of the scheduler
   * @param wall how long the turn was
   */
  private record Cost(Duration processor, Duration wall, int workloads) {
    /**
     * Milliseconds for one Workload. What the scheduler uses anyway is left out: turns with more
     * steps of operators are longer, which is not a cost of their Workloads.
     *
     * @param idle the part of a processor that is used while nothing happens
     */
    double millis(double idle) {
      return (processor.toNanos() - idle * wall.toNanos()) / 1e6 / workloads;
    }
  }

  /** With Pods, as operators make them: the scheduler watches all Pods of its cluster. */
  private static final List<KindStory> STORIES =
      KindStories.all().stream().map(RunningPods::of).toList();

  /** Jobs with as many Pods for each Workload as the kinds have on average. */
  private static final KindStory JOB =
      RunningPods.of(KindStories.jobOf(Math.toIntExact(Math.round(podsOfAWorkload()))));

  private static double podsOfAWorkload() {
    int workloads = STORIES.stream().mapToInt(KindStory::workloads).sum();
    return (double) STORIES.stream().mapToInt(it -> it.workloads() * RunningPods.podsOf(it)).sum()
        / workloads;
  }

  private static Duration used(Replica scheduler) {
    return ProcessHandle.of(scheduler.process().pid())
        .flatMap(it -> it.info().totalCpuDuration())
        .orElseThrow();
  }

  private static Cost play(
      SharedQueues queues, Replica scheduler, String turn, List<KindStory> stories) {
    Random random = new Random(1);
    List<KindLife> lives = new ArrayList<>();
    int workloads = 0;
    for (int i = 0; i < JOBS; i++) {
      KindStory story = stories.get(i % stories.size());
      lives.add(queues.life(story, turn + "-" + i, 0, random));
      workloads += story.workloads();
    }
    Duration before = used(scheduler);
    long begun = System.nanoTime();
    queues.play(lives, Duration.ofSeconds(300 + 5L * JOBS), _ -> {}, () -> true);
    queues.await("nothing is reserved", queues::areEmpty, () -> "");
    Duration wall = Duration.ofNanos(System.nanoTime() - begun);
    Cost cost = new Cost(used(scheduler).minus(before), wall, workloads);
    System.out.printf("%s: %.1f ms (%d)%n", turn, cost.millis(0), workloads);
    return cost;
  }

  /** The part of a processor that the scheduler uses while nothing happens. */
  private static double idle(Replica scheduler) {
    Duration before = used(scheduler);
    long begun = System.nanoTime();
    Poll.until(IDLE, IDLE, () -> false); // the time is what is measured
    return (double) used(scheduler).minus(before).toNanos() / (System.nanoTime() - begun);
  }

  /** What each kind costs by itself, to see which to look at. */
  private static void printEach(SharedQueues queues, Replica scheduler, double idle) {
    for (KindStory story : STORIES) {
      String kind = story.framework().type().kind();
      Cost cost = play(queues, scheduler, "each-" + kind.toLowerCase(Locale.ROOT), List.of(story));
      System.out.printf("%s: %.1f ms (%d)%n", kind, cost.millis(idle), cost.workloads());
    }
  }

  @Test
  void aWorkloadOfAnyKindCostsNoMoreThanThatOfAJob() throws IOException {
    List<KindStory> jobs = List.of(JOB);
    List<Cost> ofJobs = new ArrayList<>();
    List<Cost> ofAll = new ArrayList<>();
    double idle;
    try (SharedQueues queues = new SharedQueues(CLUSTER, TREE)) {
      Replica scheduler = queues.startScheduler(LauncherFlags.given("schedule"));
      for (int turn = 0; turn < WARM_UPS; turn++) {
        play(queues, scheduler, "warm-up-" + turn, STORIES);
      }
      idle = idle(scheduler);
      for (int pair = 0; pair < PAIRS; pair++) { // ABBA: what changes with time hits both alike
        if (pair % 2 == 0) {
          ofJobs.add(play(queues, scheduler, "jobs-" + pair, jobs));
        }
        ofAll.add(play(queues, scheduler, "all-" + pair, STORIES));
        if (pair % 2 == 1) {
          ofJobs.add(play(queues, scheduler, "jobs-" + pair, jobs));
        }
      }
      idle = (idle + idle(scheduler)) / 2;
      if (Boolean.getBoolean("sluice.kinds.each")) {
        printEach(queues, scheduler, idle);
      }
      assertThat(scheduler.endings()).isZero();
    }
    double leftOut = IS_LONG ? idle : 0; // a short turn is too short to know it
    double[] ratios =
        IntStream.range(0, PAIRS)
            .mapToDouble(it -> ofAll.get(it).millis(leftOut) / ofJobs.get(it).millis(leftOut))
            .sorted()
            .toArray();
    System.out.printf(
        "processor time of the scheduler for a Workload: %.1f ms of Jobs, %.1f ms of all kinds,"
            + " each the median of %d turns; the median of their ratios is %.2f (%.2f to %.2f)."
            + " %.3f of a processor are left out, which it uses while nothing happens.%n",
        median(millis(ofJobs, leftOut)),
        median(millis(ofAll, leftOut)),
        PAIRS,
        median(ratios),
        ratios[0],
        ratios[PAIRS - 1],
        leftOut);
    assertThat(median(ratios)).isLessThan(MOST);
  }

  private static double[] millis(List<Cost> costs, double idle) {
    return costs.stream().mapToDouble(it -> it.millis(idle)).sorted().toArray();
  }

  private static double median(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
