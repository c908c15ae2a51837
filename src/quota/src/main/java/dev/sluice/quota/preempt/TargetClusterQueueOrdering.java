package dev.sluice.quota.preempt;

import static dev.sluice.quota.tree.TreeShape.NOWHERE;

import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.Share;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.trial.Held;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ClusterQueue with the largest share, from which the next victim is taken; each removal
 * can change the answer.
 */
final class TargetClusterQueueOrdering {
  private final QuotaUsage ledger;
  private final TreeShape shape;
  private final int preemptor;
  private final Map<Integer, Deque<Held>> candidates;
  private final Comparator<Held> order;
  private final BitSet pruned = new BitSet();

  TargetClusterQueueOrdering(
      QuotaUsage ledger,
      int preemptor,
      Map<Integer, Deque<Held>> candidates,
      Comparator<Held> order) {
    this.ledger = ledger;
    this.shape = ledger.shape();
    this.preemptor = preemptor;
    this.candidates = new HashMap<>(candidates);
    this.order = order;
  }

  /** The remaining candidates of that queue; the caller removes those it has considered. */
  Deque<Held> candidates(int queue) {
    return candidates.getOrDefault(queue, new ArrayDeque<>());
  }

  void drop(int queue) {
    pruned.set(queue);
  }

  /** The next queue to take from, or nowhere. */
  int next() {
    if (shape.isQueue(0)) {
      return candidates(0).isEmpty() || pruned.get(0) ? NOWHERE : 0;
    }
    while (!pruned.get(0)) {
      int found = descend();
      if (found != NOWHERE) {
        return found;
      }
    }
    return NOWHERE;
  }

  /** Goes from the root to the queue that borrows most; prunes the cohort that has none left. */
  private int descend() {
    int cohort = 0;
    while (true) {
      Pick queue = bestQueue(cohort);
      Pick child = bestCohort(cohort);
      if (queue == null && child == null) {
        pruned.set(cohort);
        return NOWHERE;
      }
      if (child == null || (queue != null && child.share().compareTo(queue.share()) < 0)) {
        return queue == null ? NOWHERE : queue.node();
      }
      cohort = child.node();
    }
  }

  private record Pick(int node, Share share) {}

  private @Nullable Pick bestQueue(int cohort) {
    Pick best = null;
    for (int queue : shape.childQueues(cohort)) {
      if (pruned.get(queue)) {
        continue;
      }
      Share share = ledger.share(queue);
      if ((!share.borrowing() && queue != preemptor) || candidates(queue).isEmpty()) {
        pruned.set(queue);
      } else if (best == null || isBetter(queue, share, best)) {
        best = new Pick(queue, share);
      }
    }
    return best;
  }

  private boolean isBetter(int queue, Share share, Pick best) {
    int byShare = share.compareTo(best.share());
    return byShare > 0
        || (byShare == 0
            && order.compare(candidates(queue).getFirst(), candidates(best.node()).getFirst()) < 0);
  }

  private @Nullable Pick bestCohort(int cohort) {
    Pick best = null;
    for (int child : shape.childCohorts(cohort)) {
      if (pruned.get(child)) {
        continue;
      }
      Share share = ledger.share(child);
      if (!share.borrowing() && !shape.isAbove(child, preemptor)) {
        pruned.set(child);
      } else if (best == null || share.compareTo(best.share()) > 0) {
        best = new Pick(child, share);
      }
    }
    return best;
  }
}
