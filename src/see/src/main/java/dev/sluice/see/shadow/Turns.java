package dev.sluice.see.shadow;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.decision.Target;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Cycles of forks of an engine. For one thread. */
final class Turns {
  /** Cycles of one run. A cycle takes one head of each ClusterQueue. */
  private static final int MOST_CYCLES = 4_096;

  /** A search for flavors may be spread over cycles. */
  private static final int MOST_OF_ONE = 32;

  /** Decides when a run ends. For one run. */
  static final class Limit {
    private int cycles;
    private int idle;

    /**
     * Whether there is more to find out: somebody was moved or parked lately. Heads whose victims
     * have not ended stay heads, so an engine may go on for ever.
     */
    boolean goesOn(CycleResult result) {
      boolean found =
          result.outcomes().stream()
              .anyMatch(it -> moves(it) || it.place() == Outcome.Place.INADMISSIBLE);
      idle = found ? 0 : idle + 1;
      return result.changed() && ++cycles < MOST_CYCLES && idle < MOST_OF_ONE;
    }
  }

  private Turns() {}

  /**
   * What a run of cycles decides.
   *
   * @param moves the Workloads that would get quota, and those for which others would be preempted,
   *     in the order of the decisions
   * @param last the last outcome of the Workload that was asked for; null for none
   * @param quiet how many cycles at the begin only found out who has to wait
   */
  record Run(Map<ObjectKey, Outcome> moves, @Nullable Outcome last, int quiet) {}

  /**
   * Runs cycles until nothing changes.
   *
   * @param engine is only forked
   * @param until the run ends when that Workload is moved; null for none
   */
  static Run run(QuotaEngine engine, @Nullable ObjectKey until, Instant now) {
    QuotaEngine fork = engine.fork();
    Map<ObjectKey, Outcome> moves = new LinkedHashMap<>();
    Outcome last = null;
    int quiet = 0;
    var limit = new Limit();
    boolean goesOn = true;
    for (int i = 0; goesOn; i++) {
      CycleResult result = fork.cycle(now);
      boolean moved = false;
      for (Outcome outcome : result.outcomes()) {
        boolean isMove = moves(outcome);
        moved |= isMove || !outcome.others().isEmpty();
        if (isMove) {
          moves.putIfAbsent(outcome.workload(), outcome);
        }
        if (outcome.workload().equals(until)) {
          last = outcome;
        }
      }
      quiet += !moved && moves.isEmpty() && quiet == i ? 1 : 0;
      goesOn = limit.goesOn(result) && (until == null || !moves.containsKey(until));
    }
    return new Run(moves, last, quiet);
  }

  /**
   * Runs cycles that only find out who has to wait, so that later runs do not have to. Their
   * statuses count as stored: later versions of these Workloads are then taken as they are.
   */
  static void rest(QuotaEngine engine, int cycles, Instant now) {
    for (int i = 0; i < cycles; i++) {
      engine.cycle(now).outcomes().forEach(it -> stored(engine, it, now));
    }
  }

  /** Takes the status of the head for stored. */
  static void stored(QuotaEngine engine, Outcome outcome, Instant now) {
    StatusChange change = outcome.change();
    if (change.isReal()) {
      engine.apply(new Change.StatusStored(change.workload(), change.after().uid()), now);
    }
  }

  /** Whether quota is reserved, or somebody is evicted, by the decision about this head. */
  static boolean moves(Outcome outcome) {
    return switch (outcome.decision()) {
      case Decision.Reserved _, Decision.Migrating _, Decision.Displaced _ -> true;
      case Decision.Preempting(_, var targets) ->
          targets.stream().anyMatch(it -> !it.alreadyEvicted());
      default -> false;
    };
  }

  /** The victims that a preemption evicts now. */
  static Set<ObjectKey> victims(@Nullable Outcome outcome) {
    Set<ObjectKey> victims = new TreeSet<>();
    if (outcome != null && outcome.decision() instanceof Decision.Preempting(_, var targets)) {
      for (Target target : targets) {
        if (!target.alreadyEvicted()) {
          victims.add(target.workload());
        }
      }
    }
    return victims;
  }

  /**
   * Why the Workload waits: the outcome of its next turn, even if it is parked. Null if no cycle
   * takes it, since others are before it or since it is in no queue.
   */
  static @Nullable Outcome turn(QuotaEngine engine, ObjectKey key, Instant now) {
    Outcome waiting = run(engine, key, now).last();
    if (waiting != null) {
      return waiting;
    }
    QuotaEngine fork = engine.fork();
    Workload workload = fork.snapshot(now).workload(key);
    if (workload == null) {
      return null;
    }
    fork.apply(new Change.Deleted(ObjectKind.WORKLOAD, key), now);
    Workload unversioned =
        workload.with(workload.metadata().toBuilder().resourceVersion(null).build());
    fork.apply(Change.upserted(ObjectKind.WORKLOAD, unversioned), now);
    Outcome last = null;
    for (int i = 0; i < MOST_OF_ONE; i++) {
      CycleResult result = fork.cycle(now);
      for (Outcome outcome : result.outcomes()) {
        last = outcome.workload().equals(key) ? outcome : last;
      }
      if (!result.changed() || (last != null && moves(last))) {
        break;
      }
    }
    return last;
  }
}
