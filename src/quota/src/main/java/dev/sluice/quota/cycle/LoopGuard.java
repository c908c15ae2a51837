package dev.sluice.quota.cycle;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.world.Shape;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
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

  /** The entries that were added last. */
  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MOST_PAIRS;
    }
  }

  private final Map<Pair, Turns> pairs = new Bounded<>();

  /** So often since then. */
  private record Meetings(int count, Instant since) {
    Meetings andOne(Instant now) {
      return isOver(now) ? new Meetings(1, now) : new Meetings(count + 1, since);
    }

    boolean isOver(Instant now) {
      return now.isAfter(since.plus(WHILE));
    }
  }

  /** Which workloads one has preempted, how often since it had quota, and how often lately. */
  private record Preempted(
      Shape shape,
      PersistentMap<ObjectKey, Integer> inVain,
      PersistentMap<ObjectKey, Meetings> ofLate) {
    Preempted(Shape shape) {
      this(shape, PersistentMap.empty(), PersistentMap.empty());
    }

    /** With one more preemption of the victim. */
    Preempted and(ObjectKey victim, Instant now) {
      Integer times = inVain.find(victim);
      Meetings known = ofLate.find(victim);
      return new Preempted(
          shape,
          inVain.with(victim, times == null ? 1 : times + 1),
          ofLate.with(victim, known == null ? new Meetings(1, now) : known.andOne(now)));
    }

    Preempted without(ObjectKey victim) {
      return new Preempted(shape, inVain.without(victim), ofLate.without(victim));
    }

    Preempted served() {
      return new Preempted(shape, PersistentMap.empty(), ofLate);
    }

    boolean tooOften(ObjectKey victim, Instant now) {
      Meetings meetings = ofLate.find(victim);
      Integer times = inVain.find(victim);
      return (times != null && times >= MOST_TURNS)
          || (meetings != null && meetings.count() >= MOST_MEETINGS && !meetings.isOver(now));
    }
  }

  private final Map<ObjectKey, Preempted> preempted = new Bounded<>();

  /** A copy with the same preemptions that changes independently. Costs their bounded number. */
  public LoopGuard fork() {
    var fork = new LoopGuard();
    fork.pairs.putAll(pairs);
    fork.preempted.putAll(preempted);
    return fork;
  }

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
      before = new Preempted(preemptor.shape());
    }
    preempted.put(preemptor.key(), before.and(victim.key(), now));
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
    preempted.replaceAll((_, by) -> by.without(victim));
    pairs
        .entrySet()
        .removeIf(
            pair ->
                (pair.getKey().one().equals(victim) || pair.getKey().other().equals(victim))
                    && !pair.getValue().last().equals(victim));
  }

  /** The workload has quota, so its preemptions had an effect. */
  public void served(ObjectKey workload) {
    preempted.computeIfPresent(workload, (_, before) -> before.served());
  }

  /** Quotas or rules changed: whatever was a loop may be none now. */
  public void forget() {
    pairs.clear();
    preempted.clear();
  }
}
