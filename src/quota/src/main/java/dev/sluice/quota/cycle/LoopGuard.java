package dev.sluice.quota.cycle;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.world.Shape;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Detects and stops preemption loops: two workloads that preempt each other in turn; a workload
 * that preempts another repeatedly because the other is admitted first each time; and a cycle of
 * several workloads. Keeps a bounded number of workloads. For one thread.
 */
public final class LoopGuard {
  /** How often the turn may pass from one side to the other before it is called a loop. */
  static final int MOST_TURNS = 3;

  /** How often one may preempt the same other within {@link #WHILE}, though it was served. */
  static final int MOST_MEETINGS = 30;

  /** Repeated preemption with a longer period is intended and not a loop. */
  static final Duration WHILE = Duration.ofHours(1);

  private static final int MOST_PAIRS = 10_000;

  private record Pair(ObjectKey one, ObjectKey other) {
    static Pair of(ObjectKey a, ObjectKey b) {
      return a.compareTo(b) < 0 ? new Pair(a, b) : new Pair(b, a);
    }
  }

  private record Turns(ObjectKey last, int passed, Shape one, Shape other) {}

  private final Map<Pair, Turns> pairs =
      new LinkedHashMap<Pair, Turns>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Pair, Turns> eldest) {
          return size() > MOST_PAIRS;
        }
      };

  /** So often since then. */
  private record Meetings(int count, Instant since) {
    Meetings andOne(Instant now) {
      return isOver(now) ? new Meetings(1, now) : new Meetings(count + 1, since);
    }

    boolean isOver(Instant now) {
      return now.isAfter(since.plus(WHILE));
    }
  }

  /** Whom one preempted how often since it had quota, and how often of late. */
  private record Preempted(
      Shape shape, Map<ObjectKey, Integer> inVain, Map<ObjectKey, Meetings> ofLate) {
    boolean tooOften(ObjectKey victim, Instant now) {
      Meetings meetings = ofLate.get(victim);
      return inVain.getOrDefault(victim, 0) >= MOST_TURNS
          || (meetings != null && meetings.count() >= MOST_MEETINGS && !meetings.isOver(now));
    }
  }

  private final Map<ObjectKey, Preempted> preempted =
      new LinkedHashMap<ObjectKey, Preempted>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectKey, Preempted> eldest) {
          return size() > MOST_PAIRS;
        }
      };

  /**
   * The victim that has preempted the preemptor in turn too often, or has returned too often before
   * it; null for none.
   */
  @Nullable Target loopsWith(WorkloadState preemptor, List<Target> victims, Instant now) {
    Preempted before = preempted.get(preemptor.key());
    for (Target victim : victims) {
      if (before != null
          && before.shape().equals(preemptor.shape())
          && !victim.alreadyEvicted()
          && before.tooOften(victim.workload(), now)) {
        return victim;
      }
      Turns turns = pairs.get(Pair.of(preemptor.key(), victim.workload()));
      boolean again =
          turns != null
              && turns.passed() >= MOST_TURNS
              && turns.last().equals(victim.workload())
              && (turns.one().equals(preemptor.shape()) || turns.other().equals(preemptor.shape()));
      if (again) {
        return victim;
      }
    }
    return null;
  }

  /** The victim was evicted for the preemptor. */
  public void note(WorkloadState preemptor, WorkloadState victim, Instant now) {
    Preempted before = preempted.get(preemptor.key());
    if (before == null || !before.shape().equals(preemptor.shape())) {
      before = new Preempted(preemptor.shape(), new HashMap<>(), new HashMap<>());
      preempted.put(preemptor.key(), before);
    }
    before.inVain().merge(victim.key(), 1, Integer::sum);
    before.ofLate().merge(victim.key(), new Meetings(1, now), (known, _) -> known.andOne(now));
    Pair pair = Pair.of(preemptor.key(), victim.key());
    Turns old = pairs.remove(pair);
    boolean same =
        old != null
            && List.of(old.one(), old.other())
                .containsAll(List.of(preemptor.shape(), victim.shape()));
    int passed =
        !same || old == null ? 0 : old.passed() + (old.last().equals(preemptor.key()) ? 0 : 1);
    pairs.put(pair, new Turns(preemptor.key(), passed, preemptor.shape(), victim.shape()));
  }

  /** The eviction could not be stored: the victim was not preempted. */
  public void undone(ObjectKey victim) {
    for (Preempted by : preempted.values()) {
      by.inVain().remove(victim);
      by.ofLate().remove(victim);
    }
    pairs
        .entrySet()
        .removeIf(
            pair ->
                (pair.getKey().one().equals(victim) || pair.getKey().other().equals(victim))
                    && !pair.getValue().last().equals(victim));
  }

  /** The workload has quota: whomever it preempted, it was not in vain. */
  public void served(ObjectKey workload) {
    Preempted before = preempted.get(workload);
    if (before != null) {
      before.inVain().clear();
    }
  }

  /** Quotas or rules changed: whatever was a loop may be none now. */
  public void forget() {
    pairs.clear();
    preempted.clear();
  }
}
