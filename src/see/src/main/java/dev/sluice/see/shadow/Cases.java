package dev.sluice.see.shadow;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Admission;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.shadow.Judgement.Evidence;
import dev.sluice.see.shadow.OpenCase.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges cases in all states in which the other scheduler may have decided. */
final class Cases {
  private Cases() {}

  /** Whether we would have reserved the same in one of those states. */
  static boolean wasDecided(List<State> states, WorkloadState subject, Admission theirs) {
    return states.stream()
        .filter(it -> isThere(it, subject))
        .anyMatch(it -> Comparison.of(move(it, subject.key()), theirs) == Verdict.SAME);
  }

  /** Whether the state has the same Workload, with the same spec and without quota. */
  private static boolean isThere(State state, WorkloadState subject) {
    WorkloadState there = state.engine().snapshot(state.at()).state(subject.key());
    return there != null
        && !there.holdsQuota()
        && there.uid().equals(subject.uid())
        && there.workload().spec().equals(subject.workload().spec());
  }

  private static @Nullable Outcome move(State state, ObjectKey key) {
    return Turns.run(state.engine(), key, state.at()).moves().get(key);
  }

  static Judgement judgeReservation(OpenCase open, Instant now) {
    Admission theirs = Objects.requireNonNull(open.admission(), "admission");
    State later = open.later(now);
    if (later != null && wasDecided(List.of(later), open.subject(), theirs)) {
      return judgement(open, Verdict.SAME, null, "", now);
    }
    Outcome first = open.first();
    Verdict verdict = Comparison.of(first, theirs);
    return judgement(open, verdict, explained(open), Comparison.sentence(theirs), now);
  }

  /** What we decide about it just before; for one that waits, the reason of its next turn. */
  private static @Nullable Outcome explained(OpenCase open) {
    Outcome first = open.first();
    return first != null
        ? first
        : Turns.turn(open.before().engine(), open.key(), open.before().at());
  }

  /**
   * Judges a preemption.
   *
   * @param rehearsed the Workloads that our scheduler preempted in the place of the other one,
   *     decision by decision
   * @param present tells which of our victims gave their quota back otherwise
   */
  static Judgement judgePreemption(
      OpenCase open, List<Set<ObjectKey>> rehearsed, Snapshot present, Instant now) {
    List<State> states = new ArrayList<>(open.earlier());
    State later = open.later(now);
    if (later != null) {
      states.addFirst(later);
      open.unexplained()
          .removeAll(Turns.victims(isThere(later, open) ? move(later, open.key()) : null));
    }
    boolean isSame =
        open.unexplained().isEmpty()
            && (rehearsed.stream().anyMatch(it -> isWhole(open, it, present))
                || isWhole(open, Turns.victims(open.first()), present)
                || states.stream()
                    .filter(it -> isThere(it, open))
                    .anyMatch(it -> isWhole(open, Turns.victims(move(it, open.key())), present)));
    return isSame
        ? judgement(open, Verdict.SAME, null, "", now)
        : judgement(
            open,
            Verdict.OTHER_VICTIMS,
            explained(open),
            Comparison.preempted(open.victims()),
            now);
  }

  private static boolean isThere(State state, OpenCase open) {
    return isThere(state, open.subject());
  }

  /** Whether we would have preempted the victim, by this decision or in one of those states. */
  static boolean wouldPreempt(
      @Nullable Outcome ours, List<State> states, WorkloadState preemptor, ObjectKey victim) {
    return Turns.victims(ours).contains(victim)
        || states.stream()
            .filter(it -> isThere(it, preemptor))
            .anyMatch(it -> Turns.victims(move(it, preemptor.key())).contains(victim));
  }

  /** Whether the other scheduler left none of our victims, but for those who ended otherwise. */
  private static boolean isWhole(OpenCase open, Set<ObjectKey> ours, Snapshot present) {
    return !ours.isEmpty()
        && ours.stream()
            .filter(it -> !open.victims().contains(it))
            .map(present::state)
            .allMatch(it -> it == null || !it.holdsQuota() || it.evicted());
  }

  private static Judgement judgement(
      OpenCase open, Verdict verdict, @Nullable Outcome ours, String theirs, Instant now) {
    boolean isSame = verdict == Verdict.SAME;
    Snapshot snapshot = open.before().engine().snapshot(open.seen());
    String queue = snapshot.queueFor(open.subject());
    String deviation = isSame ? "" : KnownDeviations.of(verdict, snapshot, open.subject());
    return new Judgement(
        isSame ? now : open.seen(),
        deviation.isEmpty() ? verdict : Verdict.KNOWN_DEVIATION,
        deviation,
        open.key(),
        open.subject().uid(),
        queue == null ? "" : queue,
        theirs,
        isSame ? "" : sentence(ours, snapshot, queue),
        isSame ? null : new Evidence(open.before().engine(), open.before().at(), ours));
  }

  private static String sentence(
      @Nullable Outcome ours, Snapshot snapshot, @Nullable String clusterQueue) {
    List<Inactivity> reasons =
        ours != null || clusterQueue == null ? List.of() : snapshot.inactivity(clusterQueue);
    return reasons.isEmpty()
        ? Comparison.sentence(ours)
        : "would leave it waiting: its ClusterQueue is not active, since "
            + reasons.getFirst().message();
  }
}
