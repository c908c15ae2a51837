package dev.sluice.quota.preempt;

import dev.sluice.api.queue.ReclaimPolicy;
import dev.sluice.api.queue.WithinClusterQueuePolicy;
import dev.sluice.quota.trial.Held;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The workloads that the preemption policies of the ClusterQueue allow to preempt, in the order in
 * which they are tried.
 */
final class Candidates {
  private final TreeTrial trial;
  private final PreemptionRequest request;
  private final Comparator<Held> order = this::compare;
  private boolean isRanked;

  Candidates(TreeTrial trial, PreemptionRequest request) {
    this.trial = trial;
    this.request = request;
  }

  /** Those of the preemptor's own queue, in order. */
  List<Held> ofOwnQueue() {
    var policy = request.rules().preemption().withinClusterQueue();
    return policy == WithinClusterQueuePolicy.NEVER ? List.of() : in(request.node());
  }

  /** Those of another queue, in order. */
  List<Held> of(int node) {
    return request.rules().reclaims() ? in(node) : List.of();
  }

  private List<Held> in(int node) {
    List<Held> found = new ArrayList<>();
    for (Held held : trial.heldIn(node)) {
      if (mayBePreempted(held)) {
        found.add(held);
      }
    }
    return byLocalQueue(found);
  }

  private record Ranked(Held held, double used) {}

  /**
   * Those of one queue; where its LocalQueues share fairly, the LocalQueue that used more comes
   * first. Only evicted ones come before that.
   */
  private List<Held> byLocalQueue(List<Held> inOrder) {
    if (inOrder.stream().allMatch(held -> trial.localQueueUsage(held.workload()) == null)) {
      return inOrder;
    }
    isRanked = true;
    List<Ranked> ranked = new ArrayList<>();
    for (Held held : inOrder) {
      Double used = trial.localQueueUsage(held.workload());
      ranked.add(new Ranked(held, used == null ? 0 : used));
    }
    ranked.sort( // a stable sort: what is equal here stays in the order that it has
        Comparator.comparing((Ranked it) -> !it.held().evicted())
            .thenComparing(Comparator.comparingDouble(Ranked::used).reversed()));
    return ranked.stream().map(Ranked::held).toList();
  }

  private boolean mayBePreempted(Held held) {
    return held.usage().namesAny(request.needed())
        && !request.replaces(held.workload())
        && (held.node() == request.node()
            ? withinQueue(held.workload())
            : withinCohort(held.workload()));
  }

  private boolean withinQueue(WorkloadState candidate) {
    WorkloadState preemptor = request.preemptor();
    return switch (request.rules().preemption().withinClusterQueue()) {
      case NEVER -> false;
      case LOWER_PRIORITY -> preemptor.priority() > candidate.priority();
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
          preemptor.priority() > candidate.priority()
              || (preemptor.priority() == candidate.priority()
                  && preemptor.queueTimestamp().isBefore(candidate.queueTimestamp()));
    };
  }

  private boolean withinCohort(WorkloadState candidate) {
    ReclaimPolicy policy = request.rules().preemption().reclaimWithinCohort();
    return policy == ReclaimPolicy.ANY
        || (policy == ReclaimPolicy.LOWER_PRIORITY
            && request.preemptor().priority() > candidate.priority());
  }

  /** Whether some queue's candidates so far are in the order of its LocalQueues. */
  boolean isRanked() {
    return isRanked;
  }

  /** The order in which candidates of different queues are tried. */
  Comparator<Held> order() {
    return order;
  }

  private int compare(Held a, Held b) {
    boolean ownA = a.node() == request.node();
    boolean ownB = b.node() == request.node();
    return a.evicted() == b.evicted() && ownA != ownB ? (ownA ? 1 : -1) : a.compareAsCandidate(b);
  }
}
