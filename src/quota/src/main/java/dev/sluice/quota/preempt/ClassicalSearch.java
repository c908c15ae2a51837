package dev.sluice.quota.preempt;

import static dev.sluice.quota.decision.Target.Why.IN_CLUSTER_QUEUE;
import static dev.sluice.quota.decision.Target.Why.IN_COHORT_RECLAIM_WHILE_BORROWING;
import static dev.sluice.quota.decision.Target.Why.IN_COHORT_RECLAMATION;

import dev.sluice.api.queue.BorrowWithinCohort;
import dev.sluice.api.queue.BorrowWithinCohortPolicy;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.trial.Held;
import dev.sluice.quota.trial.TreeTrial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** Preemption by priority and by ownership of quota, without fair sharing. */
// From the preemptor's queue up, each subtree that owns enough for the request has the right to
// reclaim what it lent to its siblings (advantage); below that, borrowWithinCohort decides
// whether a request that itself borrows may preempt. Then candidates are removed in order until
// the request fits, and added again as far as it still fits.
final class ClassicalSearch implements TargetSearch {
  @Override
  public List<Victim> targets(TreeTrial trial, PreemptionRequest request) {
    return new Search(trial, request).run();
  }

  /** By what right a candidate is one. */
  private enum Variant {
    WITHIN_QUEUE(IN_CLUSTER_QUEUE),
    HIERARCHICAL_RECLAIM(IN_COHORT_RECLAMATION),
    RECLAIM_WITHOUT_BORROWING(IN_COHORT_RECLAMATION),
    RECLAIM_WHILE_BORROWING(IN_COHORT_RECLAIM_WHILE_BORROWING);

    private final Target.Why why;

    Variant(Target.Why why) {
      this.why = why;
    }
  }

  private record Candidate(Held held, Variant variant) {}

  private static final class Search {
    private final TreeTrial trial;
    private final QuotaUsage ledger;
    private final TreeShape shape;
    private final PreemptionRequest request;
    private final Candidates candidates;
    private final List<List<Candidate>> hierarchy = new ArrayList<>(); // a list for each queue
    private final List<List<Candidate>> priority = new ArrayList<>();
    private final List<Candidate> sameQueue = new ArrayList<>();

    Search(TreeTrial trial, PreemptionRequest request) {
      this.trial = trial;
      this.ledger = trial.ledger();
      this.shape = trial.shape();
      this.request = request;
      this.candidates = new Candidates(trial, request);
    }

    List<Victim> run() {
      collect();
      List<Candidate> ordered = ordered();
      for (boolean borrowing : attempts()) {
        List<Victim> found = attempt(ordered, borrowing);
        if (!found.isEmpty()) {
          return found;
        }
      }
      return List.of();
    }

    private void collect() {
      candidates.ofOwnQueue().forEach(h -> sameQueue.add(new Candidate(h, Variant.WITHIN_QUEUE)));
      if (!request.rules().reclaims()) {
        return;
      }
      long[] rest = new long[request.wanted().size()];
      for (int i = 0; i < rest.length; i++) {
        rest[i] = request.wanted().amount(i);
      }
      boolean advantage = fitsInQuota(request.node(), rest);
      boolean borrowsAnyway = mustBorrow();
      int visited = request.node();
      int node = shape.parent(visited);
      while (node != TreeShape.NOWHERE) {
        if (advantage || !borrowsAnyway) { // else none of them would be valid
          collectBelow(node, visited, advantage);
        }
        advantage |= fitsInQuota(node, rest);
        visited = node;
        node = shape.parent(node);
      }
    }

    /** Whether the subtree owns enough for the rest; lowers the rest by what it keeps locally. */
    private boolean fitsInQuota(int node, long[] rest) {
      boolean fits = true;
      for (int i = 0; i < rest.length; i++) {
        int column = request.wanted().column(i);
        fits &= !ledger.borrowsWith(node, column, rest[i]);
        rest[i] = Amounts.notNegative(Amounts.minus(rest[i], ledger.localAvailable(node, column)));
      }
      return fits;
    }

    private void collectBelow(int cohort, int visited, boolean advantage) {
      List<Integer> open = new ArrayList<>();
      open.add(cohort);
      while (!open.isEmpty()) {
        int node = open.removeLast();
        for (int queue : shape.childQueues(node)) {
          if (queue != visited && queue != request.node() && borrows(queue)) {
            (advantage ? hierarchy : priority).add(ofQueue(queue, advantage));
          }
        }
        for (int child : shape.childCohorts(node)) {
          if (child != visited && borrows(child)) {
            open.add(child);
          }
        }
      }
    }

    private List<Candidate> ofQueue(int queue, boolean advantage) {
      return candidates.of(queue).stream()
          .map(
              held ->
                  new Candidate(held, advantage ? Variant.HIERARCHICAL_RECLAIM : variantOf(held)))
          .toList();
    }

    private boolean borrows(int node) {
      return !ledger.withinNominal(node, request.needed());
    }

    private Variant variantOf(Held held) {
      BorrowWithinCohort policy = request.rules().preemption().borrowWithinCohort();
      if (policy.policy() == BorrowWithinCohortPolicy.NEVER) {
        return Variant.RECLAIM_WITHOUT_BORROWING;
      }
      long own = held.workload().priority();
      Integer threshold = policy.maxPriorityThreshold();
      boolean protectedOne =
          own >= request.preemptor().priority() || (threshold != null && own > threshold);
      return protectedOne ? Variant.RECLAIM_WITHOUT_BORROWING : Variant.RECLAIM_WHILE_BORROWING;
    }

    private List<Candidate> ordered() {
      List<List<Candidate>> lists = List.of(merged(hierarchy), merged(priority), sameQueue);
      List<Candidate> ordered = new ArrayList<>();
      for (boolean evicted : new boolean[] {true, false}) {
        for (List<Candidate> list : lists) {
          for (Candidate candidate : list) {
            if (candidate.held().evicted() == evicted) {
              ordered.add(candidate);
            }
          }
        }
      }
      return ordered;
    }

    private record Run(Candidate head, Iterator<Candidate> rest) {}

    /**
     * Merges the queues by their best heads. The order within a queue is kept; it may be that of
     * its LocalQueues and does not compare with other queues.
     */
    private List<Candidate> merged(List<List<Candidate>> queues) {
      if (!candidates.isRanked()) { // each queue is in the order of all, so sorting is the same
        List<Candidate> all = new ArrayList<>();
        queues.forEach(all::addAll);
        all.sort(Comparator.comparing(Candidate::held, candidates.order()));
        return all;
      }
      PriorityQueue<Run> runs =
          new PriorityQueue<>(Comparator.comparing(it -> it.head().held(), candidates.order()));
      queues.forEach(queue -> addRun(queue.iterator(), runs));
      List<Candidate> merged = new ArrayList<>();
      while (!runs.isEmpty()) {
        Run best = runs.remove();
        merged.add(best.head());
        addRun(best.rest(), runs);
      }
      return merged;
    }

    private static void addRun(Iterator<Candidate> rest, PriorityQueue<Run> runs) {
      if (rest.hasNext()) {
        runs.add(new Run(rest.next(), rest));
      }
    }

    private boolean mayBorrow() {
      return request.rules().preemption().borrowWithinCohort().policy()
          != BorrowWithinCohortPolicy.NEVER;
    }

    /**
     * Whether it is only tried with borrowing, for which no workload of others may be preempted.
     */
    private boolean mustBorrow() {
      return !mayBorrow() && !underNominal();
    }

    private boolean[] attempts() {
      boolean onlyOwn = isEmpty(hierarchy) && isEmpty(priority);
      if (onlyOwn || mustBorrow()) {
        return new boolean[] {true};
      }
      return !mayBorrow() && isEmpty(hierarchy)
          ? new boolean[] {false, true}
          : new boolean[] {true, false};
    }

    private static boolean isEmpty(List<List<Candidate>> queues) {
      for (List<Candidate> queue : queues) { // asked for each head that does not fit
        if (!queue.isEmpty()) {
          return false;
        }
      }
      return true;
    }

    private boolean underNominal() {
      for (int column : request.needed()) {
        if (ledger.usage(request.node(), column) >= shape.nominal(request.node(), column)) {
          return false;
        }
      }
      return true;
    }

    private List<Victim> attempt(List<Candidate> ordered, boolean borrowing) {
      List<Victim> removed = new ArrayList<>();
      for (Candidate candidate : ordered) {
        if (!valid(candidate, borrowing)) {
          continue;
        }
        trial.remove(candidate.held());
        removed.add(new Victim(candidate.held(), candidate.variant().why));
        if (fits(borrowing)) {
          return FillBack.minimal(trial, removed, () -> fits(borrowing));
        }
      }
      FillBack.restore(trial, removed);
      return List.of();
    }

    private boolean valid(Candidate candidate, boolean borrowing) {
      int queue = candidate.held().node();
      if (queue == request.node()) {
        return true;
      }
      if (borrowing && candidate.variant() == Variant.RECLAIM_WITHOUT_BORROWING) {
        return false;
      }
      int common = shape.lowestCommonAncestor(queue, request.node());
      for (int node = queue; node != common; node = shape.parent(node)) {
        if (!borrows(node)) {
          return false;
        }
      }
      return true;
    }

    private boolean fits(boolean borrowing) {
      for (int i = 0; i < request.wanted().size(); i++) {
        int column = request.wanted().column(i);
        long amount = request.wanted().amount(i);
        if (!ledger.fits(request.node(), column, amount)) {
          return false;
        }
        if (!borrowing && ledger.borrowsWith(request.node(), column, amount)) {
          return false;
        }
      }
      return request.placeable();
    }
  }
}
