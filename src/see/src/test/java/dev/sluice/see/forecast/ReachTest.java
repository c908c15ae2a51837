package dev.sluice.see.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.Queues;
import dev.sluice.testkit.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReachTest {
  private static final Duration FORWARD = Duration.ofHours(2);
  private static final int QUEUES = 8;
  private static final int WORKLOADS = 60;
  private static final String[] COHORTS = {
    "", "'cohortName':'x',", "'cohortName':'x',", "'cohortName':'y',"
  };
  private static final String[] PREEMPTION = {
    "",
    "'preemption':{'withinClusterQueue':'LowerPriority'},",
    "'preemption':{'reclaimWithinCohort':'Any','withinClusterQueue':'LowerPriority'},"
  };

  private final Queues queues = new Queues();

  static LongStream seeds() {
    return LongStream.range(0, Tier.number(20, 200));
  }

  private static String one(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  private void clusterQueue(Random random, int number) {
    queues.clusterQueue(
        "q" + number, random.nextInt(2, 7), one(random, COHORTS) + one(random, PREEMPTION));
  }

  private void workload(Random random, String name) {
    queues.workload(
        "a",
        name,
        "l" + random.nextInt(QUEUES),
        random.nextInt(1, 4),
        "'priority':%d,'maximumExecutionTimeSeconds':%d,"
            .formatted(random.nextInt(3), random.nextInt(60, 3_000)));
  }

  private List<Course.Played> played(
      QuotaEngine without, QuotaEngine with, Predicate<String> reached) {
    return Course.play(
        List.of(without.fork(), with.fork()),
        queues.now(),
        KnownRuns.none(queues.now()),
        FORWARD,
        reached,
        () -> true);
  }

  private static boolean isIn(Set<String> reached, ObjectKey key, Snapshot before, Snapshot after) {
    WorkloadState workload = before.state(key) == null ? after.state(key) : before.state(key);
    String queue = workload == null ? null : after.queueFor(workload);
    return queue != null && reached.contains(queue);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsReachedGoesOnAsInTheWholeAndAllElseIsTheSameWithTheChangeAndWithoutIt(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < QUEUES; i++) {
      clusterQueue(random, i);
      queues.localQueue("a", "l" + i, "q" + i);
    }
    for (int i = 0; i < WORKLOADS; i++) {
      workload(random, "w" + i);
    }
    queues.rest();
    QuotaEngine without = queues.engine().fork();
    Snapshot before = queues.snapshot();
    List<NodeName> edited = List.of();
    if (seed % 2 == 0) {
      workload(random, "one-more");
    } else {
      int number = random.nextInt(QUEUES);
      clusterQueue(random, number);
      edited = List.of(NodeName.clusterQueue("q" + number));
    }
    queues.rest();
    Snapshot after = queues.snapshot();

    Set<String> reached = Reach.of(before, after, edited, _ -> false);
    List<Course.Played> whole = played(without, queues.engine(), _ -> true);
    List<Course.Played> part = played(without, queues.engine(), reached::contains);

    for (int play = 0; play < 2; play++) {
      Map<ObjectKey, Optional<Instant>> all = whole.get(play).starts();
      Map<ObjectKey, Optional<Instant>> own = part.get(play).starts();
      assertThat(all).containsAllEntriesOf(own);
      Set<ObjectKey> others = new HashSet<>(all.keySet());
      others.removeAll(own.keySet());
      assertThat(others).noneMatch(key -> isIn(reached, key, before, after));
      assertThat(others)
          .allSatisfy(
              key ->
                  assertThat(whole.getFirst().starts().get(key))
                      .isEqualTo(whole.getLast().starts().get(key)));
    }
  }

  @Test
  void aJobReachesItsTreeAndAnEditOfACohortAllBelowIt() {
    queues.clusterQueue("a1", 2, "'cohortName':'a',");
    queues.clusterQueue("a2", 2, "'cohortName':'a',");
    queues.clusterQueue("b1", 2, "'cohortName':'b',");
    queues.clusterQueue("alone", 2, "");
    queues.localQueue("a", "team", "a1");
    Snapshot before = queues.snapshot();

    assertThat(Reach.of(before, before, List.of(), _ -> false)).isEmpty();
    assertThat(Reach.of(before, before, List.of(NodeName.cohort("b")), _ -> false))
        .containsExactly("b1");
    assertThat(Reach.of(before, before, List.of(NodeName.clusterQueue("alone")), _ -> false))
        .containsExactly("alone");
    queues.workload("a", "job", "team", 1, "");
    queues.rest();
    assertThat(Reach.of(before, queues.snapshot(), List.of(), _ -> false))
        .containsExactly("a1", "a2");
  }

  @Test
  void aQueueThatJoinsACohortReachesItsOldAndItsNewTree() {
    queues.clusterQueue("a1", 2, "'cohortName':'a',");
    queues.clusterQueue("a2", 2, "'cohortName':'a',");
    queues.clusterQueue("b1", 2, "'cohortName':'b',");
    Snapshot before = queues.snapshot();
    queues.clusterQueue("a1", 2, "'cohortName':'b',");

    Snapshot after = queues.snapshot();

    assertThat(Reach.of(before, after, List.of(NodeName.clusterQueue("a1")), _ -> false))
        .containsExactly("a1", "a2", "b1");
  }

  @Test
  void queuesWhosePodsShareNodesReachEachOther() {
    queues.clusterQueue("a1", 2, "'cohortName':'a',");
    queues.clusterQueue("b1", 2, "'cohortName':'b',");
    Snapshot before = queues.snapshot();

    assertThat(Reach.of(before, before, List.of(NodeName.clusterQueue("a1")), "f"::equals))
        .containsExactly("a1", "b1");
  }
}
