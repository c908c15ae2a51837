package dev.sluice.see.shadow;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Our scheduler in the place of the other one: it decides at once, and goes on from its own
 * decisions until those of the other scheduler are seen. So a write may be seen however late. As
 * soon as the other one decides otherwise, it starts again from what the watches show. For one
 * thread.
 */
final class Rehearsal {
  /** Decisions that are kept of one Workload. */
  private static final int MOST_OF_ONE = 16;

  private record Decided(Instant at, Outcome outcome) {}

  private final Duration grace;
  private final Map<ObjectKey, Deque<Decided>> decided = new HashMap<>();

  /** The Workloads that it has evicted and that the watch still shows as they were before. */
  private final Set<ObjectKey> evicting = new HashSet<>();

  private QuotaEngine engine;

  /**
   * Starts from that state.
   *
   * @param engine belongs to it from here on
   */
  Rehearsal(QuotaEngine engine, Duration grace) {
    this.engine = engine;
    this.grace = grace;
  }

  /**
   * Starts again from that state. What was decided in the last grace is still known, and what was
   * decided about Workloads that are judged later.
   *
   * @param judgedLater those with an open case, which may be older than a grace
   */
  void restart(QuotaEngine state, Set<ObjectKey> judgedLater, Instant now) {
    engine = state;
    evicting.clear();
    Instant oldest = now.minus(grace);
    decided.forEach(
        (key, all) -> {
          if (!judgedLater.contains(key)) {
            all.removeIf(it -> it.at().isBefore(oldest));
          }
        });
    decided.values().removeIf(Deque::isEmpty);
  }

  /**
   * Whether it waits for a decision of the other scheduler for longer than two graces. Forgets
   * those that cannot come any more.
   *
   * @param isOpen whether the other scheduler can still decide so
   */
  boolean isOverdue(Predicate<Outcome> isOpen, Instant now) {
    Instant oldest = now.minus(grace.multipliedBy(2));
    boolean isOverdue = false;
    for (Deque<Decided> all : decided.values()) {
      all.removeIf(it -> it.at().isBefore(oldest) && !isOpen.test(it.outcome()));
      isOverdue |= !all.isEmpty() && all.getFirst().at().isBefore(oldest);
    }
    decided.values().removeIf(Deque::isEmpty);
    return isOverdue;
  }

  /** Takes in a change; one that is older than an eviction that it has decided is left out. */
  void apply(Change change, Instant now) {
    switch (change) {
      case Change.Upserted<?>(_, Workload workload) -> {
        ObjectKey key = ObjectKey.of(workload.metadata());
        if (evicting.contains(key) && !workload.status().isTrue(ConditionTypes.EVICTED)) {
          return;
        }
        evicting.remove(key);
      }
      case Change.Deleted(var kind, var key, _) when kind == ObjectKind.WORKLOAD ->
          evicting.remove(key);
      default -> {
        // no Workload
      }
    }
    engine.apply(change, now);
  }

  /** Decides until nothing changes. */
  void decide(Instant now) {
    var limit = new Turns.Limit();
    boolean goesOn = true;
    while (goesOn) {
      CycleResult result = engine.cycle(now);
      for (Outcome outcome : result.outcomes()) {
        if (Turns.moves(outcome)) {
          evicting.addAll(Turns.victims(outcome));
          Deque<Decided> all = decided.computeIfAbsent(outcome.workload(), _ -> new ArrayDeque<>());
          all.addLast(new Decided(now, outcome));
          if (all.size() > MOST_OF_ONE) {
            all.removeFirst();
          }
        } else {
          Turns.stored(engine, outcome, now);
        }
      }
      goesOn = limit.goesOn(result);
    }
  }

  /** Whether it has decided about the Workload, which is not seen to be done. */
  boolean isDecided(ObjectKey key) {
    return decided.containsKey(key);
  }

  /** Whether it reserved the same for the Workload, which it then takes for done. */
  boolean reserved(ObjectKey key, Admission theirs) {
    boolean isSame =
        decided.getOrDefault(key, new ArrayDeque<>()).stream()
            .anyMatch(it -> Comparison.of(it.outcome(), theirs) == Verdict.SAME);
    if (isSame) {
      done(key, it -> it.outcome().decision() instanceof Decision.Reserved);
    }
    return isSame;
  }

  /** The Workloads that it has preempted for this one, where that is not done. */
  Set<ObjectKey> victims(ObjectKey key) {
    List<Set<ObjectKey>> rounds = rounds(key);
    return rounds.isEmpty() ? Set.of() : rounds.getLast();
  }

  /** What it has preempted by each of its decisions about the Workload and those before it. */
  List<Set<ObjectKey>> rounds(ObjectKey key) {
    List<Set<ObjectKey>> rounds = new ArrayList<>();
    Set<ObjectKey> all = new TreeSet<>();
    for (Decided one : decided.getOrDefault(key, new ArrayDeque<>())) {
      if (all.addAll(Turns.victims(one.outcome()))) {
        rounds.add(Set.copyOf(all));
      }
    }
    return rounds;
  }

  /**
   * The other scheduler has preempted these for it; takes that for done.
   *
   * @param seen when the last one of them was seen: what is decided later is not done
   */
  void preempted(ObjectKey key, Set<ObjectKey> victims, Instant seen) {
    done(
        key,
        it ->
            !it.at().isAfter(seen)
                && Turns.victims(it.outcome()).stream().anyMatch(victims::contains));
  }

  private void done(ObjectKey key, Predicate<Decided> which) {
    Deque<Decided> all = decided.get(key);
    if (all != null) {
      all.removeIf(which);
      if (all.isEmpty()) {
        decided.remove(key);
      }
    }
  }

  /** The Workload is gone. */
  void forget(ObjectKey key) {
    decided.remove(key);
  }
}
