package dev.sluice.quota.cycle;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.assign.FlavorSearchState;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.LastAssignment;
import dev.sluice.quota.cache.WorkloadCache;
import dev.sluice.quota.condition.StatusWriter;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.decision.WakeUp;
import dev.sluice.quota.queue.Interest;
import dev.sluice.quota.queue.Preemptor;
import dev.sluice.quota.queue.QueueEntry;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.queue.WakeUpEvents;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes what a cycle decided into the state it leaves behind. For one thread. */
public final class DecisionApplier {
  /** A search for flavors goes round once per cycle at most; beyond that it only repeats itself. */
  private static final int CYCLES_OF_A_ROUND = 32;

  private static final int MOST_INTERESTS = 1_000;

  private final EngineConfiguration configuration;
  private final StatusWriter writer;
  private final CohortForest forest;
  private final QueueManager room;
  private final WorkloadCache workloads;
  private final FlavorSearchState memory;
  private final LoopGuard loops;
  // most wait for the same as many others
  private final Map<Interest, Interest> interests = new HashMap<>();
  private int idleCycles;

  public DecisionApplier(
      EngineConfiguration configuration,
      StatusWriter writer,
      CohortForest forest,
      QueueManager room,
      WorkloadCache workloads,
      FlavorSearchState memory,
      LoopGuard loops) {
    this.configuration = configuration;
    this.writer = writer;
    this.forest = forest;
    this.room = room;
    this.workloads = workloads;
    this.memory = memory;
    this.loops = loops;
  }

  /** Something was told from outside: the next cycles may find more. */
  public void somethingHappened() {
    idleCycles = 0;
  }

  /** Carries the verdicts out, in their order. */
  public CycleResult conclude(List<Verdict> verdicts, Instant now) {
    List<Outcome> outcomes = new ArrayList<>();
    boolean changed = false;
    boolean searching = false;
    for (Verdict verdict : verdicts) {
      searching |= !verdict.head().secondPass() && memory.remember(verdict);
      changed |= carryOut(verdict, now);
    }
    for (Verdict verdict : verdicts) {
      Outcome.Place place = placeOf(verdict);
      changed |= place == Outcome.Place.INADMISSIBLE;
      outcomes.add(outcome(verdict, place));
    }
    idleCycles = changed ? 0 : idleCycles + 1;
    return new CycleResult(outcomes, changed || (searching && idleCycles < CYCLES_OF_A_ROUND));
  }

  /** Writes the decision into the state; whether that changes what the next cycle finds. */
  private boolean carryOut(Verdict verdict, Instant now) {
    WorkloadState head = verdict.head().workload();
    Decision decision = verdict.decision();
    String queue = verdict.head().rules().name();
    if (decision instanceof Decision.Displaced displaced) {
      workloads.assumptions().assume(head.workload());
      workloads.replace(
          head, workloads.restated(head, writer.displaced(head, displaced, now)), now);
      return true;
    }
    if (verdict.head().secondPass() && !(decision instanceof Decision.Reserved)) {
      workloads.secondPasses().failed(head.key(), now);
      return decision instanceof Decision.Preempting(_, var targets)
          && preempt(targets, queue, head, now);
    }
    WorkloadState decided =
        workloads.restated(head, writer.decided(head, verdict.head().rules(), decision, now));
    return switch (decision) {
      case Decision.Reserved(_, var replaces) -> {
        loops.served(head.key());
        workloads.assumptions().assume(head.workload());
        workloads.replace(head, decided, now);
        if (verdict.head().secondPass()) {
          workloads.secondPasses().failed(head.key(), now); // if it still lacks the same
        }
        WorkloadState slice = replaces == null ? null : workloads.find(replaces);
        if (slice != null) {
          workloads.assumptions().assume(slice.workload());
          workloads.replace(
              slice, workloads.restated(slice, writer.replaced(slice, head.key(), now)), now);
        }
        yield true;
      }
      case Decision.Preempting(_, var targets) -> {
        requeue(verdict, decided);
        yield preempt(targets, queue, decided, now);
      }
      case Decision.Migrating(_, var sibling) -> {
        requeue(verdict, decided);
        WorkloadState variant = workloads.find(sibling);
        if (variant != null && !variant.evicted()) {
          workloads.assumptions().assume(variant.workload());
          workloads.replace(
              variant, workloads.restated(variant, writer.migrated(variant, head.key(), now)), now);
          yield true;
        }
        yield false;
      }
      case Decision.Deferred _,
          Decision.Waiting _,
          Decision.Looping _,
          Decision.Gated _,
          Decision.Skipped _,
          Decision.KeptBack _,
          Decision.Blocked _,
          Decision.Displaced _,
          Decision.Refused _ -> {
        requeue(verdict, decided);
        yield false;
      }
    };
  }

  private boolean preempt(
      List<Target> targets, String queue, WorkloadState preemptor, Instant now) {
    boolean any = false;
    for (Target target : targets) {
      WorkloadState victim = workloads.find(target.workload());
      if (victim != null && !victim.evicted()) {
        loops.note(preemptor, victim, now);
        workloads.assumptions().assume(victim.workload());
        workloads.replace(
            victim,
            workloads.restated(
                victim, writer.preempted(victim, target, preemptor, paths(queue, target), now)),
            now);
        any = true;
      }
    }
    return any;
  }

  private List<String> paths(String preemptor, Target target) {
    return List.of(forest.pathTo(preemptor), forest.pathTo(target.clusterQueue()));
  }

  /** Back into the heap or to the parked, as the reason says (reference: 3.4). */
  private void requeue(Verdict verdict, WorkloadState decided) {
    ObjectKey key = decided.key();
    workloads.update(verdict.head().workload(), decided);
    String queue = verdict.head().rules().name();
    if (!queue.equals(room.queueOf(key))) {
      return;
    }
    boolean strict = verdict.head().rules().strict();
    RequeueReason reason = verdict.requeue();
    boolean preempts =
        reason == RequeueReason.PENDING_PREEMPTION || reason == RequeueReason.PENDING_MIGRATION;
    if (preempts) {
      var preemptor = new Preemptor(key, decided.generation(), !strict);
      room.change(queue, waiting -> waiting.withPreemptor(preemptor));
    }
    boolean atOnce =
        !reason.stepsAside()
            && (strict || reason.atOnce() || searchGoesOn(verdict) || sawOnlySome(verdict));
    if (!atOnce) {
      park(verdict, queue, key);
    } else if (strict && waitsForOthersOnly(verdict)) {
      Interest interest = interest(verdict);
      room.block(queue, interest);
      await(queue, interest);
    }
  }

  /**
   * Whether to look at the head again before quota or room is released would give the same verdict
   * and have no effect on others. A head that reserves what it cannot get, or whose search began
   * behind the first flavor, and one whose verdict depends on other workloads or on the clock, is
   * looked at in every cycle.
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
    room.change(
        queue,
        waiting -> lane ? waiting.parkLane(key, interest) : waiting.parkAlone(key, interest));
    await(queue, interest);
    if (interest.namespace()) {
      room.awaitNamespace(queue, key.namespace());
    }
  }

  private void await(String queue, Interest interest) {
    room.awaitRoom(queue, interest);
    NodeName root = forest.trees().rootOf(queue);
    if (root != null) {
      room.await(queue, root, interest);
    }
  }

  private Interest interest(Verdict verdict) {
    if (verdict.decision() instanceof Decision.Refused(_, var cause, _)) {
      return switch (cause) {
        case FAULT -> Interest.in(pairsOf(verdict.head()));
        case CHECKS, CLUSTER_QUEUE_INACTIVE -> Interest.NONE;
        case NAMESPACE_MISSING, NAMESPACE_MISMATCH, RESOURCES, DEVICES -> Interest.NAMESPACE;
      };
    }
    Head head = verdict.head();
    Interest pairs = Interest.in(pairsOf(head)).andRooms(rooms(verdict.progress()));
    boolean sharesDecide = configuration.fairSharing() != null && head.rules().reclaims();
    Interest interest = sharesDecide ? pairs.andShares() : pairs;
    if (interests.size() >= MOST_INTERESTS) {
      interests.clear();
    }
    Interest known = interests.putIfAbsent(interest, interest);
    return known == null ? interest : known;
  }

  /**
   * The flavors in whose domains there was no room. Where quota was to be taken from others, they
   * are not looked into before it is known from whom: so it may be any of them.
   */
  private static Set<String> rooms(@Nullable Assignment assignment) {
    Set<String> rooms = new TreeSet<>();
    if (assignment == null) {
      return rooms;
    }
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
    addPairs(head.rules(), PodSetRequests.PODS, pairs); // asked for by whoever has pods
    return pairs;
  }

  private static void addPairs(QueueRules rules, String resource, Set<FlavorResource> pairs) {
    QueueRules.Group group = rules.groupOf(resource);
    if (group != null) {
      group.flavors().forEach(flavor -> pairs.add(new FlavorResource(flavor, resource)));
    }
  }

  private Outcome.Place placeOf(Verdict verdict) {
    if (verdict.decision() instanceof Decision.Reserved || verdict.head().secondPass()) {
      return Outcome.Place.RESERVED;
    }
    return room.isParked(verdict.head().workload().key())
        ? Outcome.Place.INADMISSIBLE
        : Outcome.Place.PENDING;
  }

  private Outcome outcome(Verdict verdict, Outcome.Place place) {
    String queue = verdict.head().rules().name();
    ObjectKey key = verdict.head().workload().key();
    QueueEntry entry = room.find(queue);
    WorkloadState workload = workloads.find(key);
    if (verdict.head().secondPass()) {
      return new Outcome(key, queue, verdict.decision(), place, comesBack(key));
    }
    List<WakeUp> wakeUps =
        place == Outcome.Place.RESERVED || entry == null || workload == null
            ? List.of()
            : WakeUpEvents.in(entry, forest.trees(), workload);
    return new Outcome(key, queue, verdict.decision(), place, wakeUps);
  }

  /** Of one that has quota and still waits for places. */
  private List<WakeUp> comesBack(ObjectKey key) {
    Instant due = workloads.secondPasses().due(key);
    return due == null
        ? List.of()
        : List.of(new WakeUp.WorkloadChanged(), new WakeUp.TimeReached(due));
  }
}
