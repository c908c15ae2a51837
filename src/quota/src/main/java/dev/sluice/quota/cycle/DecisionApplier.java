package dev.sluice.quota.cycle;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.assign.FlavorSearchState;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.cache.EngineParts;
import dev.sluice.quota.cache.WorkloadCache;
import dev.sluice.quota.condition.StatusWriter;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.decision.WakeUp;
import dev.sluice.quota.queue.QueueEntry;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.queue.WakeUpEvents;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies the decisions of a cycle to the caches and queues, and returns the changes. For one
 * thread.
 */
public final class DecisionApplier {
  /**
   * A search for flavors visits each flavor at most once in so many cycles; after that it repeats
   * itself.
   */
  private static final int CYCLES_OF_A_ROUND = 32;

  private final EngineConfiguration configuration;
  private final StatusWriter writer;
  private final CohortForest forest;
  private final QueueManager queueManager;
  private final WorkloadCache workloads;
  private final FlavorSearchState searchState;
  private final LoopGuard loops;
  private final HeadRequeuer requeuer;
  private int idleCycles;

  public DecisionApplier(
      EngineConfiguration configuration,
      EngineParts parts,
      WorkloadCache workloads,
      LoopGuard loops) {
    this.configuration = configuration;
    this.requeuer = new HeadRequeuer(configuration, parts.forest(), parts.queueManager());
    this.writer = new StatusWriter(configuration);
    this.forest = parts.forest();
    this.queueManager = parts.queueManager();
    this.workloads = workloads;
    this.searchState = parts.searchState();
    this.loops = loops;
  }

  /** One for those parts, which are forks of the parts that this one applies decisions to. */
  public DecisionApplier fork(EngineParts forks, WorkloadCache otherWorkloads, LoopGuard others) {
    var fork = new DecisionApplier(configuration, forks, otherWorkloads, others);
    fork.idleCycles = idleCycles;
    return fork;
  }

  /** The cluster changed: the next cycles may find more. */
  public void somethingHappened() {
    idleCycles = 0;
  }

  /** Applies the verdicts in their order. */
  public CycleResult conclude(List<Verdict> verdicts, Instant now) {
    List<Applied> applied = new ArrayList<>();
    boolean changed = false;
    boolean searching = false;
    for (Verdict verdict : verdicts) {
      searching |= !keepsProgress(verdict) && remember(verdict);
      Applied done = apply(verdict, now);
      changed |= done.changesOthers();
      applied.add(done);
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (Applied done : applied) {
      Outcome.Place place = placeOf(done.verdict());
      changed |= place == Outcome.Place.INADMISSIBLE;
      outcomes.add(outcome(done, place));
    }
    idleCycles = changed ? 0 : idleCycles + 1;
    return new CycleResult(outcomes, changed || (searching && idleCycles < CYCLES_OF_A_ROUND));
  }

  /** Who only waits for ready pods tries the same flavors again, wherever its search began. */
  private static boolean keepsProgress(Verdict verdict) {
    return verdict.head().secondPass() || verdict.decision() instanceof Decision.Blocked;
  }

  private boolean remember(Verdict verdict) {
    Head head = verdict.head();
    return searchState.remember(head.workload(), head.rules().name(), verdict.progress());
  }

  /**
   * A verdict that was applied.
   *
   * @param head the head before and after
   * @param others the other Workloads that the decision changed
   */
  private record Applied(Verdict verdict, StatusChange head, List<StatusChange> others) {
    /** Whether the next cycle may find other quota or places than this one. */
    boolean changesOthers() {
      return !others.isEmpty()
          || verdict.decision() instanceof Decision.Reserved
          || verdict.decision() instanceof Decision.Displaced;
    }
  }

  private Applied apply(Verdict verdict, Instant now) {
    return verdict.head().secondPass() ? applySecondPass(verdict, now) : applyFirst(verdict, now);
  }

  /** Of a head that waits for quota. */
  private Applied applyFirst(Verdict verdict, Instant now) {
    WorkloadState head = verdict.head().workload();
    WorkloadState decided = decided(verdict, now);
    var change = new StatusChange(head, decided);
    if (verdict.decision() instanceof Decision.Reserved reserved) {
      return new Applied(verdict, change, reserve(reserved, change, now));
    }
    workloads.update(head, decided);
    requeuer.requeue(verdict, decided);
    return switch (verdict.decision()) {
      case Decision.Preempting(_, var targets) ->
          new Applied(verdict, change, preempt(verdict, targets, decided, now));
      case Decision.Migrating(_, var sibling) ->
          new Applied(verdict, change, migrate(sibling, head, now));
      default -> new Applied(verdict, change, List.of());
    };
  }

  /** Of a head that has quota and waits for places. */
  private Applied applySecondPass(Verdict verdict, Instant now) {
    WorkloadState head = verdict.head().workload();
    var unchanged = new StatusChange(head, head);
    return switch (verdict.decision()) {
      case Decision.Displaced displaced ->
          new Applied(
              verdict,
              assume(head, workloads.restated(head, writer.displaced(head, displaced, now)), now),
              List.of());
      case Decision.Reserved reserved -> {
        var change = new StatusChange(head, decided(verdict, now));
        List<StatusChange> others = reserve(reserved, change, now);
        workloads.secondPasses().failed(head.key(), now); // if it still lacks the same
        yield new Applied(verdict, change, others);
      }
      case Decision.Preempting(_, var targets) -> {
        workloads.secondPasses().failed(head.key(), now);
        yield new Applied(verdict, unchanged, preempt(verdict, targets, head, now));
      }
      default -> {
        workloads.secondPasses().failed(head.key(), now);
        yield new Applied(verdict, unchanged, List.of());
      }
    };
  }

  private WorkloadState decided(Verdict verdict, Instant now) {
    WorkloadState head = verdict.head().workload();
    return workloads.restated(
        head, writer.decided(head, verdict.head().rules(), verdict.decision(), now));
  }

  /** The engine counts the decided status from here on, before it is stored. */
  private StatusChange assume(WorkloadState before, WorkloadState after, Instant now) {
    workloads.assumptions().assume(before.workload());
    workloads.replace(before, after, now);
    return new StatusChange(before, after);
  }

  private List<StatusChange> reserve(Decision.Reserved reserved, StatusChange change, Instant now) {
    WorkloadState head = change.before();
    loops.served(head.key());
    assume(head, change.after(), now);
    ObjectKey replaces = reserved.replaces();
    WorkloadState slice = replaces == null ? null : workloads.find(replaces);
    return slice == null
        ? List.of()
        : List.of(
            assume(slice, workloads.restated(slice, writer.replaced(slice, head.key(), now)), now));
  }

  private List<StatusChange> migrate(ObjectKey sibling, WorkloadState head, Instant now) {
    WorkloadState variant = workloads.find(sibling);
    return variant == null || variant.evicted()
        ? List.of()
        : List.of(
            assume(
                variant,
                workloads.restated(variant, writer.migrated(variant, head.key(), now)),
                now));
  }

  private List<StatusChange> preempt(
      Verdict verdict, List<Target> targets, WorkloadState preemptor, Instant now) {
    String queue = verdict.head().rules().name();
    List<StatusChange> changes = new ArrayList<>();
    for (Target target : targets) {
      WorkloadState victim = workloads.find(target.workload());
      if (victim != null && !victim.evicted()) {
        loops.note(preemptor, victim, now);
        changes.add(
            assume(
                victim,
                workloads.restated(
                    victim, writer.preempted(victim, target, preemptor, paths(queue, target), now)),
                now));
      }
    }
    return changes;
  }

  private List<String> paths(String preemptor, Target target) {
    return List.of(forest.pathTo(preemptor), forest.pathTo(target.clusterQueue()));
  }

  private Outcome.Place placeOf(Verdict verdict) {
    if (verdict.decision() instanceof Decision.Reserved || verdict.head().secondPass()) {
      return Outcome.Place.RESERVED;
    }
    return queueManager.isParked(verdict.head().workload().key())
        ? Outcome.Place.INADMISSIBLE
        : Outcome.Place.PENDING;
  }

  private Outcome outcome(Applied applied, Outcome.Place place) {
    Verdict verdict = applied.verdict();
    String queue = verdict.head().rules().name();
    return new Outcome(
        queue,
        verdict.decision(),
        applied.head(),
        applied.others(),
        place,
        wakeUps(verdict, queue, place));
  }

  private List<WakeUp> wakeUps(Verdict verdict, String queue, Outcome.Place place) {
    ObjectKey key = verdict.head().workload().key();
    if (verdict.head().secondPass()) {
      return comesBack(key);
    }
    QueueEntry entry = queueManager.find(queue);
    WorkloadState workload = workloads.find(key);
    return place == Outcome.Place.RESERVED || entry == null || workload == null
        ? List.of()
        : WakeUpEvents.in(
            entry, forest.trees(), forest.rootOf(queue), workload, queueManager.parkedFor(key));
  }

  /** The events after which a workload with quota and without places is evaluated again. */
  private List<WakeUp> comesBack(ObjectKey key) {
    Instant due = workloads.secondPasses().due(key);
    return due == null
        ? List.of()
        : List.of(new WakeUp.WorkloadChanged(), new WakeUp.TimeReached(due));
  }
}
