package dev.sluice.see.shadow;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.quota.Change;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A decision of the other scheduler that is not judged yet. It keeps the state before it, which
 * goes on with the changes of everything but Workloads: watches of several kinds have no common
 * order, so the other scheduler may have known a change that comes here later. For one thread.
 */
final class OpenCase {
  /** A state of the queues at some time. */
  record State(QuotaEngine engine, Instant at) {}

  private final WorkloadState subject;
  private final Instant seen;
  private final State before;
  private final QuotaEngine later;
  private final @Nullable Outcome first;
  private final List<State> earlier;
  private final @Nullable Admission admission;
  private final Set<ObjectKey> victims = new TreeSet<>();
  private final Set<ObjectKey> unexplained = new TreeSet<>();
  private boolean informed;
  private Instant due;
  private Instant lastSeen;

  /**
   * A decision about that Workload.
   *
   * @param subject as it was before
   * @param before a fork, for the case alone
   * @param first what we decide in that state
   * @param earlier states within the grace, the latest first
   * @param admission what the other scheduler reserved; null for a preemption
   */
  OpenCase(
      WorkloadState subject,
      State before,
      @Nullable Outcome first,
      List<State> earlier,
      @Nullable Admission admission,
      Instant due) {
    this.subject = subject;
    this.seen = before.at();
    this.before = before;
    this.later = before.engine().fork();
    this.first = first;
    this.earlier = List.copyOf(earlier);
    this.admission = admission;
    this.due = due;
    this.lastSeen = before.at();
  }

  WorkloadState subject() {
    return subject;
  }

  ObjectKey key() {
    return subject.key();
  }

  WorkloadSpec spec() {
    return subject.workload().spec();
  }

  Instant seen() {
    return seen;
  }

  State before() {
    return before;
  }

  @Nullable Outcome first() {
    return first;
  }

  List<State> earlier() {
    return earlier;
  }

  @Nullable Admission admission() {
    return admission;
  }

  /** The Workloads that the other scheduler preempted so far. */
  Set<ObjectKey> victims() {
    return victims;
  }

  /** Those of them that we would not have preempted in the states so far. */
  Set<ObjectKey> unexplained() {
    return unexplained;
  }

  /** When the last one of them was seen. */
  Instant lastSeen() {
    return lastSeen;
  }

  /** One more of them. */
  void preempted(ObjectKey victim, boolean explained, Instant now, Instant newDue) {
    lastSeen = now;
    victims.add(victim);
    if (!explained) {
      unexplained.add(victim);
    }
    due = newDue;
  }

  boolean isDue(Instant now) {
    return !now.isBefore(due);
  }

  /** A change of anything but a Workload. */
  void told(Change change, Instant now) {
    later.apply(change, now);
    informed = true;
  }

  /** The state with what came later; null if nothing did. */
  @Nullable State later(Instant now) {
    return informed ? new State(later, now) : null;
  }
}
