package dev.sluice.quota.cycle;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.LastAssignment;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.queue.Interest;
import dev.sluice.quota.queue.Preemptor;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Puts heads that got nothing back into their queues, or parks them until an event that can change
 * the decision. For one thread.
 */
final class HeadRequeuer {
  private static final int MOST_WANTED = 10_000;
  private static final int MOST_INTERESTS = 1_000;

  /** Workloads that may get the same pairs, as long as the rules of the queue stay. */
  private record Kind(String queue, int shape) {}

  /** Every pair that such a workload may get by those rules, and rooms that it lacked. */
  private record Wanted(QueueRules rules, Set<String> rooms, Interest interest) {}

  private final EngineConfiguration configuration;
  private final CohortForest forest;
  private final QueueManager queueManager;
  private final Map<Kind, Wanted> wanted = new HashMap<>();
  private final Map<Interest, Interest> interests = new HashMap<>(); // most wait for the same

  HeadRequeuer(EngineConfiguration configuration, CohortForest forest, QueueManager queueManager) {
    this.configuration = configuration;
    this.forest = forest;
    this.queueManager = queueManager;
  }

  /** Requeues or parks the head with what was decided about it, by the reason of the verdict. */
  void requeue(Verdict verdict, WorkloadState decided) {
    ObjectKey key = decided.key();
    String queue = verdict.head().rules().name();
    if (!queue.equals(queueManager.queueOf(key))) {
      return;
    }
    boolean strict = verdict.head().rules().strict();
    RequeueReason reason = verdict.requeue();
    boolean preempts =
        reason == RequeueReason.PENDING_PREEMPTION || reason == RequeueReason.PENDING_MIGRATION;
    if (preempts) {
      var preemptor = new Preemptor(key, decided.generation(), !strict);
      queueManager.change(queue, waiting -> waiting.withPreemptor(preemptor));
    }
    boolean atOnce =
        !reason.stepsAside()
            && (strict || reason.atOnce() || searchGoesOn(verdict) || sawOnlySome(verdict));
    if (!atOnce) {
      park(verdict, queue, key);
    } else if (strict && waitsForOthersOnly(verdict)) {
      Interest interest = shared(interest(verdict).andNamespace());
      queueManager.block(queue, interest);
      await(queue, interest);
      queueManager.awaitNamespace(queue, key.namespace());
    }
  }

  /**
   * Whether evaluating the head again before quota or room is released would give the same verdict
   * and have no effect on others. A head that blocks quota it cannot get, whose search began behind
   * the first flavor, or whose verdict depends on other workloads or on the clock, is evaluated in
   * every cycle.
   */
  private static boolean waitsForOthersOnly(Verdict verdict) {
    Head head = verdict.head();
    return verdict.requeue() == RequeueReason.NO_FIT
        && verdict.decision() instanceof Decision.Waiting
        && !searchGoesOn(verdict)
        && !sawOnlySome(verdict)
        && !head.rules().fairBetweenLocalQueues()
        && head.workload().replaces() == null
        && head.workload().parentUid() == null;
  }

  private static boolean searchGoesOn(Verdict verdict) {
    Assignment assignment = verdict.progress();
    return assignment != null && assignment.hasPendingFlavors();
  }

  /** Whether the search began behind the first flavor: those before it may do by now. */
  private static boolean sawOnlySome(Verdict verdict) {
    LastAssignment progress = verdict.head().progress();
    return progress != null && !progress.fromTheStart();
  }

  private void park(Verdict verdict, String queue, ObjectKey key) {
    Interest interest = interest(verdict);
    boolean lane =
        verdict.requeue().forItsShape()
            && configuration.on(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING);
    if (lane) {
      queueManager.parkLane(key, interest);
    } else {
      queueManager.parkAlone(key, interest);
    }
    await(queue, interest);
    if (interest.namespace()) {
      queueManager.awaitNamespace(queue, key.namespace());
    }
  }

  private void await(String queue, Interest interest) {
    queueManager.await(queue, forest.rootOf(queue), interest);
  }

  private Interest interest(Verdict verdict) {
    if (verdict.decision() instanceof Decision.Refused(_, var cause, _)) {
      return switch (cause) {
        case FAULT -> Interest.in(pairsOf(verdict.head()));
        case CHECKS, NOT_SPLIT, CLUSTER_QUEUE_INACTIVE -> Interest.NONE;
        case NAMESPACE_MISSING, NAMESPACE_MISMATCH, RESOURCES, DEVICES -> Interest.NAMESPACE;
      };
    }
    Assignment seen = verdict.progress();
    Head head = verdict.head();
    boolean isPart = sawOnlySome(verdict) || head.searchedInParts();
    return wanted(head, seen == null || isPart ? flavorsOf(head) : rooms(seen));
  }

  /** Where it is not known in which flavors there was no room, it may be any. */
  private static Set<String> flavorsOf(Head head) {
    Set<String> flavors = new TreeSet<>();
    pairsOf(head).forEach(pair -> flavors.add(pair.flavor()));
    return flavors;
  }

  /** Every pair that the workload may get, those rooms, and shares where they decide. */
  @SuppressWarnings("ReferenceEquality") // equal rules of another edit are only read again
  private Interest wanted(Head head, Set<String> rooms) {
    QueueRules rules = head.rules();
    var kind = new Kind(rules.name(), head.workload().shape().number());
    Wanted known = wanted.get(kind);
    if (known != null && known.rules() == rules && known.rooms().equals(rooms)) {
      return known.interest();
    }
    Interest pairs = Interest.in(pairsOf(head)).andRooms(rooms);
    boolean sharesDecide = configuration.fairSharing() != null && rules.reclaims();
    Interest interest = shared(sharesDecide ? pairs.andShares() : pairs);
    if (wanted.size() >= MOST_WANTED) {
      wanted.clear();
    }
    wanted.put(kind, new Wanted(rules, rooms, interest));
    return interest;
  }

  private Interest shared(Interest interest) {
    if (interests.size() >= MOST_INTERESTS) {
      interests.clear();
    }
    Interest known = interests.putIfAbsent(interest, interest);
    return known == null ? interest : known;
  }

  /**
   * The flavors whose domains had no room. If preemption is needed, domains are not searched before
   * the targets are known, so it may be any of them.
   */
  private static Set<String> rooms(Assignment assignment) {
    Set<String> rooms = new TreeSet<>();
    for (AssignedPodSet podSet : assignment.podSets()) {
      if (assignment.mode() == Mode.PREEMPT) {
        podSet.flavors().values().forEach(assigned -> rooms.add(assigned.flavor()));
      }
      for (Refusal refusal : podSet.refusals()) {
        if (refusal instanceof Refusal.NoRoom(var flavor, _, _)) {
          rooms.add(flavor);
        }
      }
    }
    return rooms;
  }

  /** Every pair the workload could be given. */
  private static Set<FlavorResource> pairsOf(Head head) {
    Set<FlavorResource> pairs = new TreeSet<>();
    for (var podSet : head.workload().requests()) {
      for (int i = 0; i < podSet.total().size(); i++) {
        addPairs(head.rules(), podSet.total().resource(i), pairs);
      }
    }
    addPairs(head.rules(), PodSetRequests.PODS, pairs); // requested by every workload with pods
    return pairs;
  }

  private static void addPairs(QueueRules rules, String resource, Set<FlavorResource> pairs) {
    QueueRules.Group group = rules.groupOf(resource);
    if (group != null) {
      group.flavors().forEach(flavor -> pairs.add(new FlavorResource(flavor, resource)));
    }
  }
}
