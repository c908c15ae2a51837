package dev.sluice.see.shadow;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.history.Preemptors;
import dev.sluice.see.shadow.OpenCase.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the decisions of another scheduler with ours, from nothing but what watches show. A
 * reservation, or the preemptions for one Workload, are one decision each. For one thread.
 *
 * <p>What is seen has no exact time: writes arrive later than they were decided, in another order,
 * and watches of several kinds have no common order. So a decision counts as the same if ours is
 * the same in any of these: our scheduler in the place of the other one, as long as both agree; the
 * state just before it; a state of the grace before it; the state before it with the changes of
 * other kinds that come in the grace after it. Our cycles in a state are a set: all that they
 * decide until nothing changes. What cannot be told is {@link Verdict#UNDECIDED}.
 */
public final class Shadow {
  /** Cases that wait for the grace to pass; beyond that the oldest one is judged at once. */
  private static final int MOST_CASES = 512;

  private final Duration grace;
  private final Followed followed;
  private final Map<ObjectKey, OpenCase> reservations = new LinkedHashMap<>();
  private final Map<ObjectKey, OpenCase> preemptions = new LinkedHashMap<>();
  private final Map<String, ObjectKey> byUid = new HashMap<>();
  private final LeftWorkloads left;
  private final Rehearsal rehearsal;
  private boolean decidedOtherwise;
  private long otherEvictions;

  /**
   * Compares from an empty cluster.
   *
   * @param configuration of our engine
   * @param grace how late the other scheduler may be seen to decide; positive
   */
  public Shadow(EngineConfiguration configuration, Duration grace) {
    this.grace = grace;
    this.followed = new Followed(configuration, grace);
    this.left = new LeftWorkloads(grace);
    this.rehearsal = new Rehearsal(followed.fork(), grace);
  }

  /** Takes in an object as it is at the begin; nothing is judged. */
  public void load(Change change, Instant now) {
    if (change instanceof Change.Upserted<?>(_, Workload workload)) {
      byUid.put(workload.metadata().uid(), ObjectKey.of(workload.metadata()));
    }
    apply(change, now);
  }

  private void apply(Change change, Instant now) {
    followed.apply(change, now);
    rehearsal.apply(change, now);
  }

  /**
   * Takes in what a watch shows, in the order of that watch.
   *
   * @return what this decides about cases; mostly nothing or one judgement
   */
  public List<Judgement> take(Change change, Instant now) {
    List<Judgement> judgements = new ArrayList<>();
    switch (change) {
      case Change.Upserted<?>(_, Workload workload) -> version(workload, now, judgements);
      case Change.Deleted(var kind, var key, var uid) when kind == ObjectKind.WORKLOAD -> {
        deleted(key, uid, now, judgements);
        followed.remember(now);
        apply(change, now);
      }
      default -> {
        followed.remember(now);
        apply(change, now);
        reservations.values().forEach(it -> it.told(change, now));
        preemptions.values().forEach(it -> it.told(change, now));
      }
    }
    return judgements;
  }

  private void deleted(ObjectKey key, String uid, Instant now, List<Judgement> judgements) {
    WorkloadState known = followed.snapshot(now).state(key);
    if (known == null || !(uid.isEmpty() || known.uid().equals(uid))) {
      return;
    }
    byUid.remove(known.uid());
    left.forget(known);
    OpenCase open = preemptions.remove(key);
    if (open != null) {
      Judgement judgement = judged(open, now);
      boolean isSame = judgement.verdict() == Verdict.SAME;
      String why = "it was deleted before its preemption could be judged";
      judgements.add(isSame ? judgement : undecided(open, now, why));
    }
    rehearsal.forget(key);
  }

  private void version(Workload workload, Instant now, List<Judgement> judgements) {
    ObjectKey key = ObjectKey.of(workload.metadata());
    WorkloadState found = followed.snapshot(now).state(key);
    boolean isSame = found != null && found.uid().equals(workload.metadata().uid());
    WorkloadState before = isSame ? found : null;
    if (found != null && !isSame) {
      deleted(key, found.uid(), now, judgements);
    }
    byUid.put(workload.metadata().uid(), key);
    Admission admission = Versions.reserved(workload);
    Condition evicted = Versions.preempted(workload);
    if (before == null || !before.workload().equals(workload)) {
      followed.remember(now);
    }
    if (admission != null && (before == null || !Versions.holdsSince(before, workload))) {
      reserved(before, workload, admission, now, judgements);
    }
    boolean isEvicted =
        evicted != null && !Versions.isKnown(before, evicted, ConditionTypes.EVICTED);
    if (isEvicted && before != null && evicted != null) {
      preempted(before, evicted, now, judgements);
    } else if (before != null && !before.evicted() && Versions.evictedOtherwise(workload)) {
      otherEvictions++;
    }
    apply(Change.upserted(ObjectKind.WORKLOAD, workload), now);
    if (decidedOtherwise) {
      rehearsal.restart(followed.fork(), preemptions.keySet(), now);
      decidedOtherwise = false;
    }
  }

  private void reserved(
      @Nullable WorkloadState before,
      Workload workload,
      Admission admission,
      Instant now,
      List<Judgement> judgements) {
    ObjectKey key = ObjectKey.of(workload.metadata());
    String queue = Objects.requireNonNullElse(admission.clusterQueue(), "");
    left.decided(followed.snapshot(now), queue, now);
    String problem = Versions.problem(before, workload, queue, followed.snapshot(now));
    if (before == null || !problem.isEmpty()) {
      String uid = workload.metadata().uid();
      judgements.add(undecided(now, key, uid, queue, Comparison.sentence(admission), problem));
      return;
    }
    boolean wasLeft = left.end(before);
    if (isRehearsed(key, admission, now)) {
      if (!wasLeft) {
        judgements.add(same(before, queue, now));
      }
      return;
    }
    decidedOtherwise = true;
    Turns.Run run = followed.run(key, now);
    Verdict verdict = Comparison.of(run.moves().get(key), admission);
    List<State> earlier = followed.earlier(now);
    if (verdict == Verdict.SAME || Cases.wasDecided(earlier, before, admission)) {
      if (!wasLeft) {
        judgements.add(same(before, queue, now));
      }
      return;
    }
    QuotaEngine state = followed.fork();
    var open =
        new OpenCase(
            before,
            new State(state, now),
            run.moves().getOrDefault(key, run.last()),
            List.of(), // those were asked already
            admission,
            now.plus(grace));
    OpenCase other = reservations.put(key, open);
    if (other != null) {
      judgements.addAll(conclude(other, now));
    }
    judgements.addAll(concludeOldest(reservations, now));
  }

  private boolean isRehearsed(ObjectKey key, Admission theirs, Instant now) {
    if (rehearsal.reserved(key, theirs)) {
      return true;
    }
    rehearsal.decide(now); // it may not have seen the last changes
    return rehearsal.reserved(key, theirs);
  }

  private static Judgement same(WorkloadState workload, String queue, Instant at) {
    return new Judgement(at, Verdict.SAME, "", workload.key(), workload.uid(), queue, "", "", null);
  }

  private void preempted(
      WorkloadState victim, Condition evicted, Instant now, List<Judgement> judgements) {
    ObjectKey preemptor = byUid.get(Preemptors.uid(evicted.message()));
    WorkloadState subject = preemptor == null ? null : followed.snapshot(now).state(preemptor);
    if (victim.admission() != null && victim.holdsQuota()) {
      left.decided(followed.snapshot(now), victim.reservedIn(), now);
    }
    if (preemptor == null || subject == null || !victim.holdsQuota()) {
      String why =
          preemptor == null || subject == null
              ? "the Workload that it was preempted for is not known"
              : "its quota ended at the same time";
      String queue = victim.holdsQuota() ? victim.reservedIn() : "";
      judgements.add(undecided(now, victim.key(), victim.uid(), queue, "preempted it", why));
      return;
    }
    OpenCase open = preemptions.get(preemptor);
    boolean isExplained = rehearsal.victims(preemptor).contains(victim.key());
    if (open == null || !isExplained) {
      Turns.Run run = followed.run(preemptor, now);
      Outcome ours = run.moves().getOrDefault(preemptor, run.last());
      List<State> earlier = followed.earlier(now);
      isExplained |= Cases.wouldPreempt(ours, earlier, subject, victim.key());
      if (open == null) {
        var state = new State(followed.fork(), now);
        open = new OpenCase(subject, state, ours, earlier, null, now.plus(grace));
        preemptions.put(preemptor, open);
      }
    }
    open.preempted(victim.key(), isExplained, now, now.plus(grace));
    judgements.addAll(concludeOldest(preemptions, now));
  }

  private List<Judgement> concludeOldest(Map<ObjectKey, OpenCase> cases, Instant now) {
    if (cases.size() <= MOST_CASES) {
      return List.of();
    }
    OpenCase oldest = cases.values().iterator().next();
    cases.remove(oldest.key(), oldest);
    return conclude(oldest, now);
  }

  private List<Judgement> conclude(OpenCase open, Instant now) {
    WorkloadState present = followed.snapshot(now).state(open.key());
    if (open.admission() == null) {
      if (present == null || !present.workload().spec().equals(open.spec())) {
        return List.of(undecided(open, now, "its spec changed before its preemption was judged"));
      }
      boolean wasLeft = left.end(open.subject());
      Judgement judgement = judged(open, now);
      rehearsal.preempted(open.key(), open.victims(), open.lastSeen());
      decidedOtherwise |= judgement.verdict() != Verdict.SAME;
      return judgement.verdict() == Verdict.SAME && wasLeft ? List.of() : List.of(judgement);
    }
    return List.of(Cases.judgeReservation(open, now));
  }

  private Judgement judged(OpenCase preemption, Instant now) {
    return Cases.judgePreemption(
        preemption, rehearsal.rounds(preemption.key()), followed.snapshot(now), now);
  }

  private Judgement undecided(OpenCase open, Instant now, String why) {
    String queue = followed.snapshot(now).queueFor(open.subject());
    return undecided(
        open.seen(),
        open.key(),
        open.subject().uid(),
        queue == null ? "" : queue,
        Comparison.preempted(open.victims()),
        why);
  }

  private static Judgement undecided(
      Instant at, ObjectKey key, String uid, String queue, String theirs, String why) {
    return new Judgement(at, Verdict.UNDECIDED, "", key, uid, queue, theirs, why, null);
  }

  /** All changes of a moment are taken in: our side decides. Each {@link #tick} does the same. */
  public void decide(Instant now) {
    rehearsal.decide(now);
  }

  /**
   * Time passes: judges what has waited for the grace, and finds what the other scheduler leaves.
   * To be called several times in a grace.
   */
  public List<Judgement> tick(Instant now) {
    List<Judgement> judgements = new ArrayList<>();
    decide(now);
    for (Map<ObjectKey, OpenCase> cases : List.of(reservations, preemptions)) {
      List<OpenCase> due = cases.values().stream().filter(it -> it.isDue(now)).toList();
      for (OpenCase open : due) {
        cases.remove(open.key(), open);
        judgements.addAll(conclude(open, now));
      }
    }
    judgements.addAll(
        left.look(followed, it -> rehearsal.isDecided(it) && !preemptions.containsKey(it), now));
    if (decidedOtherwise || rehearsal.isOverdue(it -> isOpen(it, now), now)) {
      rehearsal.restart(followed.fork(), preemptions.keySet(), now);
      decidedOtherwise = false;
    }
    return judgements;
  }

  /**
   * Whether the Workload still waits for quota, and its victims, if it has any, for their eviction.
   * One whose eviction was seen may have quota again.
   */
  private boolean isOpen(Outcome decided, Instant now) {
    Set<ObjectKey> victims = Turns.victims(decided);
    Snapshot snapshot = followed.snapshot(now);
    WorkloadState state = snapshot.state(decided.workload());
    OpenCase open = preemptions.get(decided.workload());
    boolean waits = state != null && !state.holdsQuota();
    return waits
        && (victims.isEmpty()
            || victims.stream()
                .filter(it -> open == null || !open.victims().contains(it))
                .map(snapshot::state)
                .anyMatch(it -> it != null && it.holdsQuota() && !it.evicted()));
  }

  /** Judges what is still open, without waiting for the grace. */
  public List<Judgement> end(Instant now) {
    List<Judgement> judgements = new ArrayList<>();
    for (Map<ObjectKey, OpenCase> cases : List.of(reservations, preemptions)) {
      cases.values().forEach(it -> judgements.addAll(conclude(it, now)));
      cases.clear();
    }
    return judgements;
  }

  /** Evictions for other reasons than a preemption, which are not compared. */
  public long otherEvictions() {
    return otherEvictions;
  }
}
