package dev.sluice.quota.preempt;

import static dev.sluice.api.configuration.Scheduling.PreemptionStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE;
import static dev.sluice.quota.decision.Target.Why.IN_CLUSTER_QUEUE;
import static dev.sluice.quota.decision.Target.Why.IN_COHORT_FAIR_SHARING;
import static dev.sluice.quota.decision.Target.Why.IN_COHORT_RECLAMATION;

import dev.sluice.api.configuration.Scheduling.PreemptionStrategy;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.Share;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.trial.Held;
import dev.sluice.quota.trial.TreeTrial;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Preemption with fair sharing: it takes quota from the queues with the largest shares. */
// The queue that borrows most for its weight loses workloads first, as long as the strategy finds
// that this makes the shares more equal. The second strategy tries again what the first one
// refuses.
// The preemptor's own request counts as used, except while the search checks whether it fits.
final class FairSearch implements TargetSearch {
  private final List<PreemptionStrategy> strategies;
  private final boolean nominalIsEntitled;

  FairSearch(List<PreemptionStrategy> strategies, boolean nominalIsEntitled) {
    this.strategies = strategies;
    this.nominalIsEntitled = nominalIsEntitled;
  }

  @Override
  public List<Victim> targets(TreeTrial trial, PreemptionRequest request) {
    return new Search(trial, request).run();
  }

  private final class Search {
    private final TreeTrial trial;
    private final QuotaUsage ledger;
    private final TreeShape shape;
    private final PreemptionRequest request;
    private final Candidates candidates;
    private final List<Victim> removed = new ArrayList<>();
    private final Map<Integer, Deque<Held>> retry = new TreeMap<>();

    Search(TreeTrial trial, PreemptionRequest request) {
      this.trial = trial;
      this.ledger = trial.ledger();
      this.shape = trial.shape();
      this.request = request;
      this.candidates = new Candidates(trial, request);
    }

    List<Victim> run() {
      Map<Integer, Deque<Held>> byQueue = collect();
      if (byQueue.isEmpty()) {
        return List.of();
      }
      ledger.add(request.node(), request.wanted());
      boolean fits = runFirst(byQueue) || (strategies.size() > 1 && runSecond());
      ledger.remove(request.node(), request.wanted());
      if (fits) {
        return FillBack.minimal(trial, removed, this::fitsNow);
      }
      FillBack.restore(trial, removed);
      return List.of();
    }

    private Map<Integer, Deque<Held>> collect() {
      Map<Integer, Deque<Held>> byQueue = new TreeMap<>();
      put(byQueue, request.node(), candidates.ofOwnQueue());
      if (request.rules().reclaims()) {
        for (int node = 0; node < shape.size(); node++) {
          boolean other = shape.isQueue(node) && node != request.node();
          if (other && !ledger.withinNominal(node, request.needed())) {
            put(byQueue, node, candidates.of(node));
          }
        }
      }
      return byQueue;
    }

    private static void put(Map<Integer, Deque<Held>> byQueue, int node, List<Held> found) {
      if (!found.isEmpty()) {
        byQueue.put(node, new ArrayDeque<>(found));
      }
    }

    private boolean runFirst(Map<Integer, Deque<Held>> byQueue) {
      boolean entitled =
          nominalIsEntitled && ledger.withinNominal(request.node(), request.needed());
      var picking =
          new TargetClusterQueueOrdering(ledger, request.node(), byQueue, candidates.order());
      int queue = picking.next();
      while (queue != TreeShape.NOWHERE) {
        Deque<Held> own = picking.candidates(queue);
        boolean fits =
            queue == request.node()
                ? take(own.removeFirst(), IN_CLUSTER_QUEUE)
                : entitled
                    ? take(own.removeFirst(), IN_COHORT_RECLAMATION)
                    : takeByShare(queue, own);
        if (fits) {
          return true;
        }
        queue = picking.next();
      }
      return false;
    }

    /** Takes the first candidate that the first strategy allows; the others may be retried. */
    private boolean takeByShare(int queue, Deque<Held> own) {
      int common = shape.lowestCommonAncestor(queue, request.node());
      int theirs = shape.childTowards(common, queue);
      Share newShare = ledger.share(shape.childTowards(common, request.node()));
      Share oldShare = ledger.share(theirs);
      boolean hopeless = newShare.withoutClaim() && !oldShare.withoutClaim();
      while (!own.isEmpty()) {
        Held candidate = own.removeFirst();
        if (!hopeless && allowed(newShare, oldShare, theirs, candidate)) {
          return take(candidate, IN_COHORT_FAIR_SHARING);
        }
        retry.computeIfAbsent(queue, _ -> new ArrayDeque<>()).add(candidate);
      }
      return false;
    }

    private boolean allowed(Share newShare, Share oldShare, int theirs, Held candidate) {
      if (strategies.getFirst() != LESS_THAN_OR_EQUAL_TO_FINAL_SHARE) {
        return newShare.compareTo(oldShare) < 0;
      }
      trial.remove(candidate);
      Share left = ledger.share(theirs);
      trial.add(candidate);
      return newShare.compareTo(left) <= 0;
    }

    private boolean runSecond() {
      var picking =
          new TargetClusterQueueOrdering(ledger, request.node(), retry, candidates.order());
      int queue = picking.next();
      while (queue != TreeShape.NOWHERE) {
        Held first = picking.candidates(queue).removeFirst();
        picking.drop(queue);
        int common = shape.lowestCommonAncestor(queue, request.node());
        Share newShare = ledger.share(shape.childTowards(common, request.node()));
        Share oldShare = ledger.share(shape.childTowards(common, queue));
        if (newShare.compareTo(oldShare) < 0 && take(first, IN_COHORT_FAIR_SHARING)) {
          return true;
        }
        queue = picking.next();
      }
      return false;
    }

    private boolean take(Held candidate, Target.Why why) {
      trial.remove(candidate);
      removed.add(new Victim(candidate, why));
      ledger.remove(request.node(), request.wanted());
      boolean fits = fitsNow();
      ledger.add(request.node(), request.wanted());
      return fits;
    }

    private boolean fitsNow() {
      return ledger.fits(request.node(), request.wanted()) && request.placeable();
    }
  }
}
