package dev.sluice.quota.cycle;

import dev.sluice.quota.decision.Target;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.quota.world.Shape;
import dev.sluice.quota.world.WorkloadState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notices two workloads that preempt each other in turn, and ends it. The rules of preemption
 * should never lead there; this is for the case that they do. Keeps a bounded number of pairs. For
 * one thread.
 */
public final class LoopGuard {
  /** How often the turn may pass from one side to the other before it is called a loop. */
  static final int MOST_TURNS = 3;

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

  /** Whoever of the victims has preempted the preemptor in turn too often; null for nobody. */
  @Nullable Target loopsWith(WorkloadState preemptor, List<Target> victims) {
    for (Target victim : victims) {
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

  /** The preemptor made the victim give way. */
  public void note(WorkloadState preemptor, WorkloadState victim) {
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

  /** Quotas or rules changed: whatever was a loop may be none now. */
  public void forget() {
    pairs.clear();
  }
}
