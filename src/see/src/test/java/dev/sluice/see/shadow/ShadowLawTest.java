package dev.sluice.see.shadow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where our engine is the other scheduler, all is the same, however late and in whatever order its
 * writes are seen.
 */
class ShadowLawTest {
  private static final int WORLDS = Integer.getInteger("sluice.shadow.worlds", 3);
  private static final int STEPS = 120;

  /** Worlds that had false differences once: the rehearsal restarted before a case was judged. */
  private static final long[] MENDED = {96, 153, 255, 850};

  /** How late a write is seen at most, but for a step. */
  private static final Duration LATEST = OtherScheduler.GRACE.dividedBy(2);

  private static final String[] WITHIN = {"Never", "LowerPriority", "LowerOrNewerEqualPriority"};
  private static final String[] RECLAIM = {"Never", "LowerPriority", "Any"};
  private static final String[] STRATEGY = {"StrictFIFO", "BestEffortFIFO"};
  private static final String[] SEARCH = {"MayStopSearch", "TryNextFlavor"};
  private static final String[] QUEUES = {"p", "q", "r"};

  /** How late writes are seen. */
  enum Writes {
    AT_ONCE,
    IN_ANOTHER_ORDER,
    LATE
  }

  static List<Arguments> worlds() {
    List<Arguments> all = new ArrayList<>();
    for (Writes writes : Writes.values()) {
      for (long seed = 1; seed <= WORLDS; seed++) {
        all.add(Arguments.of(writes, seed));
      }
    }
    for (long seed : MENDED) {
      all.add(Arguments.of(Writes.LATE, seed));
    }
    return all;
  }

  private record Write(Instant at, Workload workload) {}

  private static final class World {
    private final OtherScheduler other = new OtherScheduler();
    private final Random random;
    private final Writes writes;
    private final Map<String, Deque<Write>> unseen = new LinkedHashMap<>();
    private final List<ObjectKey> there = new ArrayList<>();
    private int created;

    World(Writes writes, long seed) {
      this.writes = writes;
      this.random = new Random(seed);
      for (String name : QUEUES) {
        other.queue(name, members(), 3 + random.nextInt(8), random.nextInt(6));
      }
    }

    private String one(String[] of) {
      return of[random.nextInt(of.length)];
    }

    private String members() {
      return """
      'cohortName':'c','queueingStrategy':'%s','preemption':{'withinClusterQueue':'%s',
      'reclaimWithinCohort':'%s'},'flavorFungibility':{'whenCanBorrow':'%s',
      'whenCanPreempt':'%s'},\
      """
          .formatted(one(STRATEGY), one(WITHIN), one(RECLAIM), one(SEARCH), one(SEARCH));
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
        other.decide().forEach(this::written);
        show(writes == Writes.LATE ? random.nextInt(6) : Integer.MAX_VALUE);
        other.pass(Duration.ofMillis(random.nextInt(writes == Writes.LATE ? 700 : 3000)));
      }
      show(Integer.MAX_VALUE);
      other.pass(Duration.ofMinutes(1));
      other.end();
    }

    private void written(Workload workload) {
      unseen
          .computeIfAbsent(workload.metadata().name(), _ -> new ArrayDeque<>())
          .add(new Write(other.now(), workload));
    }

    private Deque<Write> unseenOf(String workload) {
      return requireNonNull(unseen.get(workload), workload);
    }

    /** Shows so many writes, and all that are old; those of one Workload stay in their order. */
    private void show(int most) {
      for (int shown = 0; !unseen.isEmpty(); shown++) {
        List<String> names = new ArrayList<>(unseen.keySet());
        if (writes != Writes.AT_ONCE) {
          Collections.shuffle(names, random);
        }
        Instant old = other.now().minus(LATEST);
        String next =
            names.stream()
                .filter(it -> unseenOf(it).getFirst().at().isBefore(old))
                .findFirst()
                .orElse(shown < most ? names.getFirst() : null);
        if (next == null) {
          return;
        }
        Deque<Write> own = unseenOf(next);
        other.show(List.of(own.removeFirst().workload()));
        if (own.isEmpty()) {
          unseen.remove(next);
        }
      }
    }

    /** Whether somebody else may write to it: all that was decided about it is seen. */
    private List<ObjectKey> settled() {
      return there.stream().filter(it -> !unseen.containsKey(it.name())).toList();
    }

    private void step() {
      List<ObjectKey> settled = settled();
      for (ObjectKey key : settled) {
        WorkloadState state = other.state(key);
        if (state.evicted() && state.holdsQuota() && random.nextInt(3) > 0) {
          other.release(key);
        }
      }
      int dice = random.nextInt(10);
      if (dice < 5 || settled.isEmpty()) {
        String name = "w" + created++;
        there.add(other.workload(name, one(QUEUES), random.nextInt(3) * 10, 1 + random.nextInt(4)));
      } else if (dice < 9) {
        ObjectKey gone = settled.get(random.nextInt(settled.size()));
        if (other.state(gone).holdsQuota() || random.nextInt(4) == 0) {
          there.remove(gone);
          other.delete(gone);
        }
      } else {
        String queue = one(QUEUES);
        other.told(
            OtherScheduler.clusterQueue(
                queue, members(), 3 + random.nextInt(8), random.nextInt(6)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void ourOwnDecisionsAreTheSame(Writes writes, long seed) {
    World world = new World(writes, seed);
    world.run();
    List<Judgement> judgements = world.other.judgements();
    assertThat(judgements).hasSizeGreaterThan(20);
    assertThat(judgements.stream().filter(it -> it.verdict().isDifference()).map(this::text))
        .isEmpty();
    long undecided = judgements.stream().filter(it -> it.verdict() == Verdict.UNDECIDED).count();
    assertThat(undecided)
        .as("a preemptor may be deleted before its preemption is seen")
        .isLessThanOrEqualTo(writes == Writes.LATE ? judgements.size() / 20 : 0);
  }

  private String text(Judgement it) {
    return String.join(
        " ",
        it.at().toString(),
        it.verdict().text(),
        it.workload().toString(),
        it.theirs(),
        it.ours());
  }
}
