package dev.sluice.see.history;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a history knows of one Workload that is still there. It is derived from the versions of its
 * object by {@link #step}, and from its lines by {@link #after}, with the same result. So a history
 * that is read again goes on where it ended, and nothing counts twice.
 *
 * @param queued since when it waits, or waited before it got quota
 * @param held the quota that it holds; null for none
 * @param evicted when it was evicted last, as long as that lasts; null if it was not
 * @param finished when it ended; null as long as it has not
 */
public record WorkloadFacts(
    Subject subject,
    Instant queued,
    @Nullable Held held,
    @Nullable Instant evicted,
    @Nullable Instant finished) {

  /**
   * What is known after a version, and what happened since the version before.
   *
   * @param lines in the order in which they happened
   */
  public record Stepped(WorkloadFacts facts, List<Transition> lines) {
    public Stepped {
      lines = List.copyOf(lines);
    }
  }

  /**
   * What the version of a Workload says beyond what is known of it. The same version again says
   * nothing. Transitions between two versions that nobody saw are filled in as far as the object
   * tells; their lines have the reason {@link Transition#NOT_SEEN}.
   *
   * @param known of the same uid; null for a Workload that is new
   * @param seen the present time, for what has no time in the object
   */
  public static Stepped step(@Nullable WorkloadFacts known, WorkloadState version, Instant seen) {
    return new Stepping(known, version, seen).result();
  }

  /** What is known after one more line about the Workload; {@code known} is null at its first. */
  public static Optional<WorkloadFacts> after(@Nullable WorkloadFacts known, Transition line) {
    Instant evicted = known == null ? null : known.evicted();
    Instant finished = known == null ? null : known.finished();
    return switch (line.step()) {
      case GONE -> Optional.empty();
      case OPEN, CHANGED -> Optional.ofNullable(known);
      case QUEUED, ADMITTED, CONTINUED ->
          Optional.of(
              new WorkloadFacts(line.subject(), line.queued(), line.held(), evicted, finished));
      case RESERVED ->
          Optional.of(
              new WorkloadFacts(line.subject(), line.queued(), line.held(), null, finished));
      case EVICTED ->
          Optional.of(
              new WorkloadFacts(line.subject(), line.queued(), line.held(), line.at(), finished));
      case RELEASED ->
          Optional.of(new WorkloadFacts(line.subject(), line.at(), null, evicted, finished));
      case FINISHED ->
          Optional.of(new WorkloadFacts(line.subject(), line.queued(), null, evicted, line.at()));
    };
  }

  /** The line that its object is deleted. */
  public Transition gone(Instant at, String reason) {
    Held holding = held;
    Instant end = holding != null && at.isBefore(holding.since()) ? holding.since() : at;
    return new Transition(end, Step.GONE, subject, queued, holding, reason, "");
  }

  /** The line that says what it holds at that moment; empty for nothing. */
  public Optional<Transition> open(Instant at) {
    return held == null || held.since().isAfter(at)
        ? Optional.empty()
        : Optional.of(new Transition(at, Step.OPEN, subject, queued, held, "", ""));
  }

  /** One step, in the order in which transitions of a Workload happen. */
  private static final class Stepping {
    private final Instant seen;
    private final WorkloadState version;
    private final Subject subject;
    private final List<Transition> lines = new ArrayList<>();
    private Instant queued;
    private @Nullable Held held;
    private @Nullable Instant evicted;
    private @Nullable Instant finished;

    Stepping(@Nullable WorkloadFacts known, WorkloadState version, Instant seen) {
      this.seen = seen;
      this.version = version;
      this.subject =
          known == null || !Observed.isStill(known.subject(), version)
              ? Observed.subject(version)
              : known.subject();
      Instant created = version.workload().metadata().creationTimestamp();
      this.queued = known != null ? known.queued() : created == null ? seen : created;
      this.held = known == null ? null : known.held();
      this.evicted = known == null ? null : known.evicted();
      this.finished = known == null ? null : known.finished();
      if (known == null) {
        add(queued, Step.QUEUED, "", "");
      }
    }

    private void add(Instant at, Step step, String reason, String by) {
      lines.add(new Transition(at, step, subject, queued, held, reason, by));
    }

    Stepped result() {
      if (finished == null) {
        Condition end = condition(ConditionTypes.FINISHED);
        boolean ends = end != null && end.status() == ConditionStatus.TRUE;
        if (held != null && !isSameReservation()) {
          evict();
          release();
        }
        reserve();
        admit();
        evict();
        if (ends) {
          finish(end);
        } else if (held != null && !version.holdsQuota()) {
          release(); // it was deactivated
        } else {
          change();
        }
      }
      return new Stepped(new WorkloadFacts(subject, queued, held, evicted, finished), lines);
    }

    private @Nullable Condition condition(String type) {
      return version.condition(type);
    }

    private @Nullable Instant trueSince(String type) {
      Condition condition = condition(type);
      return condition == null || condition.status() != ConditionStatus.TRUE
          ? null
          : condition.lastTransitionTime();
    }

    /** An eviction of the reservation before the present one is over. */
    private void evict() {
      Condition now = condition(ConditionTypes.EVICTED);
      Instant since = trueSince(ConditionTypes.EVICTED);
      boolean isOver = held != null && since != null && since.isBefore(held.reserved());
      if (now != null && since != null && !isOver && !since.equals(evicted)) {
        evicted = since;
        add(since, Step.EVICTED, now.reason(), Preemptors.uid(now.message()));
      }
    }

    private boolean isSameReservation() {
      return held != null && held.reserved().equals(trueSince(QUOTA_RESERVED));
    }

    /** Its reservation ended, or a new one shows that the former one ended before. */
    private void release() {
      Held old = held;
      if (old == null) {
        return;
      }
      Condition now = condition(QUOTA_RESERVED);
      String reason =
          now == null || now.status() == ConditionStatus.TRUE ? Transition.NOT_SEEN : now.reason();
      Instant since = now == null || !version.workload().spec().active() ? seen : at(now);
      Instant at = since.isBefore(old.since()) ? old.since() : since;
      add(at, Step.RELEASED, reason, "");
      held = null;
      queued = at;
    }

    private static Instant at(Condition condition) {
      return condition.lastTransitionTime();
    }

    private void reserve() {
      Instant since = trueSince(QUOTA_RESERVED);
      String queue = Observed.clusterQueue(version);
      boolean holds = version.holdsQuota() || Observed.endedWithQuota(version);
      if (since != null && holds && !isSameReservation() && !queue.isEmpty()) {
        held = new Held(queue, since, since, null, Observed.amounts(version));
        evicted = null;
        add(since, Step.RESERVED, "", "");
      }
    }

    private void admit() {
      Held now = held;
      Instant since = trueSince(ADMITTED);
      if (now != null && since != null && !since.equals(now.admitted())) {
        held = new Held(now.clusterQueue(), now.reserved(), now.since(), since, now.amounts());
        add(since, Step.ADMITTED, "", "");
      }
    }

    private void change() {
      Held now = held;
      if (now == null || now.amounts().equals(version.usage())) {
        return;
      }
      Instant at = seen.isBefore(now.since()) ? now.since() : seen;
      add(at, Step.CHANGED, "", "");
      held = new Held(now.clusterQueue(), now.reserved(), at, now.admitted(), version.usage());
      add(at, Step.CONTINUED, "", "");
    }

    private void finish(@Nullable Condition end) {
      Held now = held;
      Instant at = end == null ? seen : at(end);
      at = now != null && at.isBefore(now.since()) ? now.since() : at;
      add(at, Step.FINISHED, end == null ? "" : end.reason(), "");
      held = null;
      finished = at;
    }
  }
}
