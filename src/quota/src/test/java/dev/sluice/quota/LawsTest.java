package dev.sluice.quota;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.Nominator;
import dev.sluice.quota.assign.Placement;
import dev.sluice.quota.audit.Audit;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds in every world. {@code -Dsluice.laws.steps=200000 -Dsluice.laws.queues=2000} makes the
 * run long: so many steps in each of six worlds, with so many queues.
 */
class LawsTest {
  private static final int STEPS = Tier.number("sluice.laws.steps", 200, 300);
  private static final int QUEUES = Integer.getInteger("sluice.laws.queues", 10);
  private static final int FIRST_SEED = Integer.getInteger("sluice.laws.seed", 0);
  private static final int STEPS_OF_A_ROUND = 10 * QUEUES;
  private static final int ROUNDS = Math.max(1, STEPS / STEPS_OF_A_ROUND);
  private static final int LONG = 10_000;
  private static final int EDITS = Math.max(240, STEPS / 100);

  static Stream<Arguments> worlds() {
    return IntStream.range(FIRST_SEED, FIRST_SEED + 6)
        .mapToObj(seed -> Arguments.of(seed, seed % 2 == 1));
  }

  private static RandomWorld world(long seed, boolean fair) {
    return world(seed, fair, QUEUES);
  }

  private static RandomWorld world(long seed, boolean fair, int queues) {
    EngineConfiguration configuration = EngineConfiguration.defaults();
    return new RandomWorld(
        seed, fair ? configuration.withFairSharing(FairSharing.BOTH) : configuration, queues);
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void allLawsHoldThroughALongHistory(long seed, boolean fair) {
    RandomWorld world = world(seed, fair);

    for (int round = 0; round < ROUNDS; round++) {
      for (int step = 0; step < STEPS_OF_A_ROUND; step++) {
        leavesASoundLedger(world, round * STEPS_OF_A_ROUND + step);
      }
      assertThat(Audit.findings(world.snapshot())).as("round %d", round).isEmpty();
      orderAndRepetitionDoNotMatter(world, seed);
      nobodyIsForgotten(world);
      report(seed, round);
    }
    nothingIsLeftWithoutWorkloads(world);
  }

  private static void report(long seed, int round) {
    int steps = (round + 1) * STEPS_OF_A_ROUND;
    if (STEPS >= LONG && steps % LONG < STEPS_OF_A_ROUND) {
      System.out.printf("seed %d: %,d steps%n", seed, steps);
    }
  }

  /** After a step all that it can have touched is looked at, and from time to time everything. */
  private static void leavesASoundLedger(RandomWorld world, int step) {
    CycleResult result = world.step();
    Snapshot snapshot = world.snapshot();
    boolean all = step % Math.max(1, QUEUES / 10) == 0;
    List<String> findings = new ArrayList<>();
    if (all) {
      findings.addAll(Audit.findings(snapshot));
      snapshot.clusterQueues().forEach(queue -> findings.addAll(world.unheard(queue)));
    } else {
      findings.addAll(Audit.findingsAround(snapshot, world.touched()));
      findings.addAll(world.unheard(world.touched()));
    }
    for (Outcome outcome : result.outcomes()) {
      if (outcome.decision() instanceof Decision.Reserved) {
        findings.addAll(Audit.findingsAround(snapshot, outcome.clusterQueue()));
      }
      findings.addAll(world.unheard(outcome.clusterQueue()));
    }
    assertThat(findings).as("step %d", step).isEmpty();
    assertThat(overAdmitted(snapshot, result)).as("step %d", step).isEmpty();
  }

  private static void nothingIsLeftWithoutWorkloads(RandomWorld world) {
    world.removeAllWorkloads();
    assertThat(world.snapshot().trees())
        .allSatisfy(
            tree ->
                assertThat(tree.ledger().digest())
                    .isEqualTo(emptyDigest(tree.shape().size() * tree.shape().width())));
  }

  /**
   * Queues that were given quota although it makes what is available there negative. Cycles that
   * preempt are left out: like Kueue, they let a head have what victims of the same cycle are about
   * to give back.
   */
  private static List<String> overAdmitted(Snapshot snapshot, CycleResult result) {
    List<String> found = new ArrayList<>();
    if (result.outcomes().stream().anyMatch(o -> o.decision() instanceof Decision.Preempting)) {
      return found;
    }
    for (Outcome outcome : result.outcomes()) {
      if (outcome.decision() instanceof Decision.Reserved(var assignment, _)) {
        var standings = snapshot.standing(outcome.clusterQueue());
        assignment
            .usage()
            .withoutZeros()
            .forEach(
                (pair, _) -> {
                  if (requireNonNull(standings.get(pair)).available().value() < 0) {
                    found.add(outcome.clusterQueue() + " " + pair);
                  }
                });
      }
    }
    return found;
  }

  private static long emptyDigest(int cells) {
    long digest = 1125899906842597L;
    for (int i = 0; i < cells; i++) {
      digest = 31 * digest;
      digest ^= digest >>> 29;
    }
    return digest;
  }

  /** Told in any order, in part twice, in part late: the same state, which is the one kept. */
  private static void orderAndRepetitionDoNotMatter(RandomWorld world, long seed) {
    List<Change> once = world.everything();
    Snapshot told = world.retold(once).snapshot(world.now());
    List<Change> shuffled = new ArrayList<>(once);
    shuffled.addAll(once.subList(0, once.size() / 2));
    shuffled.addAll(world.lateNews());
    Collections.shuffle(shuffled, new Random(seed));

    Snapshot retold = world.retold(shuffled).snapshot(world.now());

    assertThat(RandomWorld.describe(retold)).isEqualTo(RandomWorld.describe(told));
    assertThat(RandomWorld.standings(world.snapshot())).isEqualTo(RandomWorld.standings(told));
  }

  /** At rest an engine that looks at everybody anew admits nobody, and nothing moves. */
  private static void nobodyIsForgotten(RandomWorld world) {
    world.rest(2000); // who comes anew is looked at, which would hide what was forgotten
    IntStream.range(0, 6 * QUEUES).forEach(_ -> world.smallStep());
    world.rest(2000);

    Snapshot atRest = world.snapshot();
    assertThat(atRest.workloads())
        .filteredOn(WorkloadState::admissible)
        .allSatisfy(w -> assertThat(atRest.wakeUps(w.key())).isNotEmpty());
    assertThat(admissions(world.retold(world.everything()), world))
        .filteredOn(outcome -> wasLookedAt(outcome, atRest))
        .isEmpty();
    assertThat(world.cycle().changed()).isFalse();
    assertThat(RandomWorld.describe(world.snapshot())).isEqualTo(RandomWorld.describe(atRest));
  }

  /**
   * Whether it was judged and found wanting: it is parked, or first in its queue. Others wait for
   * the head of a strict queue, which may be somebody else where it has preempted before.
   */
  private static boolean wasLookedAt(Outcome outcome, Snapshot atRest) {
    List<ObjectKey> pending = atRest.pending(outcome.clusterQueue());
    return atRest.inadmissible(outcome.clusterQueue()).contains(outcome.workload())
        || (!pending.isEmpty() && pending.getFirst().equals(outcome.workload()));
  }

  /** An edit wakes whomever it helps: where a look at everybody would move somebody, we do, too. */
  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void anEditForgetsNobody(long seed, boolean fair) {
    RandomWorld world = world(seed, fair, 6);
    int helped = 0;
    int compared = 0;
    for (int edit = 0; edit < EDITS; edit++) {
      IntStream.range(0, 8).forEach(_ -> world.smallStep());
      if (!world.comesToRest()) {
        continue;
      }
      world.edit();
      boolean helps = world.moves(world.retold(world.everything()));
      assertThat(world.moves(world.engine())).as("edit %d", edit).isEqualTo(helps);
      compared++;
      helped += helps ? 1 : 0;
    }
    assertThat(compared).isGreaterThan(EDITS / 2);
    assertThat(helped).isLessThan(compared);
  }

  private static List<Outcome> admissions(QuotaEngine engine, RandomWorld world) {
    List<Outcome> admitted = new ArrayList<>();
    CycleResult result;
    int cycles = 0;
    do {
      result = engine.cycle(world.now());
      result.outcomes().stream()
          .filter(o -> o.decision() instanceof Decision.Reserved)
          .forEach(admitted::add);
    } while (result.changed() && ++cycles < 1000);
    return admitted;
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void theSameInputGivesTheSameDecisions(long seed, boolean fair) {
    RandomWorld one = world(seed, fair);
    RandomWorld other = world(seed, fair);

    for (int step = 0; step < 200; step++) {
      assertThat(one.step()).isEqualTo(other.step());
    }
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void nominatingTreesInParallelChangesNothing(long seed, boolean fair) {
    RandomWorld world = world(seed, fair);
    IntStream.range(0, 300).forEach(_ -> world.step());
    QuotaEngine one = world.retold(world.everything());
    QuotaEngine other = world.retold(world.everything());

    for (int cycle = 0; cycle < 5; cycle++) {
      assertThat(other.cycle(world.now(), tasks -> tasks.parallelStream().forEach(Runnable::run)))
          .isEqualTo(one.cycle(world.now()));
    }
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void lookingForFlavorsAndVictimsLeavesTheTreeAsItWas(long seed, boolean fair) {
    RandomWorld world = world(seed, fair);
    IntStream.range(0, 300).forEach(_ -> world.step());
    Snapshot snapshot = world.snapshot();
    var nominator =
        new Nominator(world.configuration(), LawsTest::flavorWithoutLabels, Placement.ANYWHERE);

    for (String queue : snapshot.clusterQueues()) {
      QuotaTree tree = snapshot.treeOf(queue);
      List<ObjectKey> waiting = new ArrayList<>(snapshot.pending(queue));
      waiting.addAll(snapshot.inadmissible(queue));
      for (WorkloadState workload : snapshot.workloads()) {
        if (tree != null && waiting.contains(workload.key())) {
          var trial = new TreeTrial(tree.ledger(), holders(snapshot), world.now());
          long before = trial.ledger().digest();
          var head = new Head(workload, world.rules(queue), false, null, null);

          nominator.nominate(trial, head, Map.of());

          assertThat(trial.ledger().digest()).as("%s in %s", workload, queue).isEqualTo(before);
        }
      }
    }
  }

  private static ResourceFlavor flavorWithoutLabels(String name) {
    return TestCluster.read(
        ResourceFlavor.class, "{'metadata':{'name':'%s'},'spec':{}}".formatted(name));
  }

  private static TreeTrial.Holders holders(Snapshot snapshot) {
    return new TreeTrial.Holders() {
      @Override
      public List<WorkloadState> in(String queue) {
        return snapshot.holders(queue);
      }

      @Override
      public @Nullable Double localQueueUsage(WorkloadState workload) {
        return null;
      }
    };
  }
}
