package dev.sluice.see.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * An engine with a clock of its own, in which jobs come, run and end, and nothing else. What is
 * decided is stored at once. An evicted Workload gives its quota back at once and waits again; so
 * does one whose quota is reserved run, whatever admission checks it has. For one thread.
 */
public final class VirtualCluster {
  /** Cycles at one moment, after which time goes on whatever they do. */
  private static final int MOST_CYCLES = 10_000;

  /** Run times of Workloads, and a listener to what happens to them. */
  public interface Life {
    /**
     * How many seconds it runs from now on, at least 0; infinite for one that never ends.
     *
     * @param workload as it was before it got quota
     */
    double seconds(WorkloadState workload, Instant now);

    /** It got quota. */
    default void started(WorkloadState workload, Instant now) {}

    /** A cycle decided that, before anything follows from it. */
    default void decided(Outcome outcome, Instant now) {}

    /** It has another status, or is new. Called only if {@link #follows}. */
    default void changed(WorkloadState workload, Instant now) {}

    /** It is deleted. Called only if {@link #follows}. */
    default void deleted(ObjectKey workload, Instant now) {}

    /** Whether changes are of interest; each costs a snapshot. */
    default boolean follows() {
      return false;
    }
  }

  private sealed interface What {
    record End(ObjectKey workload) implements What {}

    record Release(ObjectKey workload) implements What {}

    record Arrive(Workload workload) implements What {}
  }

  private record Event(Instant at, long number, What what) {}

  private final QuotaEngine engine;
  private final Life life;
  private final StatusDetail detail = StatusDetail.COARSE;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::number));

  /** The event that ends each run; one that is not here any more does nothing. */
  private final Map<ObjectKey, Long> running = new HashMap<>();

  /** The evicted Workloads that still hold their quota. */
  private final Set<ObjectKey> stopping = new LinkedHashSet<>();

  private Instant now;
  private boolean evictsLate;
  private long numbers;
  private long handled;

  /**
   * A cluster in the state of the engine.
   *
   * @param engine belongs to the cluster from here on
   */
  public VirtualCluster(QuotaEngine engine, Instant now, Life life) {
    this.engine = engine;
    this.now = now;
    this.life = life;
  }

  /** The present time. */
  public Instant now() {
    return now;
  }

  /** How many events there were. */
  public long handled() {
    return handled;
  }

  /** How many Workloads run whose ends are known. */
  public int running() {
    return running.size();
  }

  /** The state of the queues. */
  public Snapshot snapshot() {
    return engine.snapshot(now);
  }

  /** An engine of its own in the same state. */
  public QuotaEngine fork() {
    return engine.fork();
  }

  /** Changes an object now. */
  public void apply(Change change) {
    engine.apply(change, now);
  }

  /** A running Workload will end in so many seconds; never, if that is infinite. */
  public void endsIn(ObjectKey workload, double seconds) {
    if (Double.isFinite(seconds)) {
      long number = numbers++;
      running.put(workload, number);
      Instant end = now.plusMillis((long) (Math.max(0, seconds) * 1000));
      events.add(new Event(end, number, new What.End(workload)));
    }
  }

  /** An evicted Workload gives its quota back in so many seconds. */
  public void releasesIn(ObjectKey workload, double seconds) {
    events.add(
        new Event(now.plusMillis((long) (seconds * 1000)), numbers++, new What.Release(workload)));
  }

  /** A Workload gives its quota back now, if it has any, and waits again. */
  public void releaseNow(ObjectKey workload) {
    release(workload);
  }

  /** A Workload comes at that time. */
  public void arrivesAt(Instant time, Workload workload) {
    events.add(new Event(time, numbers++, new What.Arrive(workload)));
  }

  /** When the next event is; empty if nothing happens any more. */
  public Optional<Instant> next() {
    Event first = events.peek();
    Instant backoff = engine.nextBackoffOver().filter(it -> it.isAfter(now)).orElse(null);
    if (first == null || (backoff != null && backoff.isBefore(first.at()))) {
      return Optional.ofNullable(backoff);
    }
    return Optional.of(first.at());
  }

  /**
   * Goes on to the next event, and decides what follows from it.
   *
   * @return false if nothing happens any more
   */
  public boolean step() {
    Optional<Instant> next = next();
    if (next.isEmpty()) {
      return false;
    }
    now = next.get().isAfter(now) ? next.get() : now;
    for (Event event = events.peek();
        event != null && !event.at().isAfter(now);
        event = events.peek()) {
      events.poll();
      handle(event);
    }
    handled++;
    settle();
    return true;
  }

  /** Sets the clock, over a time in which nothing happens. */
  public void passTo(Instant time) {
    now = time.isAfter(now) ? time : now;
  }

  private void handle(Event event) {
    switch (event.what()) {
      case What.Arrive(var workload) -> {
        engine.apply(Change.upserted(ObjectKind.WORKLOAD, workload), now);
        changed(ObjectKey.of(workload.metadata()));
      }
      case What.Release(var key) -> release(key);
      case What.End(var key) -> {
        if (running.remove(key, event.number())) {
          end(key);
        }
      }
    }
  }

  private void end(ObjectKey key) {
    if (life.follows()) {
      Workload workload = snapshot().workload(key);
      if (workload != null) {
        store(
            workload,
            new StatusEditor(workload, detail, now).finish(Reasons.SUCCEEDED, "it is done"));
        changed(key);
      }
    }
    engine.apply(new Change.Deleted(ObjectKind.WORKLOAD, key), now);
    if (life.follows()) {
      life.deleted(key, now);
    }
  }

  private void store(Workload workload, StatusEditor status) {
    Workload unversioned =
        workload.with(workload.metadata().toBuilder().resourceVersion(null).build());
    engine.apply(Change.upserted(ObjectKind.WORKLOAD, unversioned.with(status.build())), now);
  }

  private void changed(ObjectKey key) {
    if (life.follows()) {
      WorkloadState state = snapshot().state(key);
      if (state != null) {
        life.changed(state, now);
      }
    }
  }

  /** From now on the pods of admitted Workloads count as ready; none run here. */
  public void assumePodsReady() {
    engine.assumePodsReady();
  }

  /** From now on evicted Workloads release their quota only when no other decision is left. */
  public void evictLate() {
    evictsLate = true;
  }

  /** Decides at this moment until nothing changes. */
  public void settle() {
    settle(Integer.MAX_VALUE);
  }

  /**
   * The same, with about so many decisions at most.
   *
   * @return whether nothing changes any more
   */
  public boolean settle(int decisions) {
    int left = decisions;
    for (int i = 0; i < MOST_CYCLES && left > 0; i++) {
      CycleResult result = engine.cycle(now);
      boolean released = false;
      for (Outcome outcome : result.outcomes()) {
        released |= take(outcome);
      }
      if (!result.changed() && !released && !releaseStopping()) {
        return true;
      }
      left -= Math.max(1, result.outcomes().size());
    }
    return false;
  }

  private boolean releaseStopping() {
    boolean released = false;
    for (ObjectKey key : List.copyOf(stopping)) {
      released |= release(key);
    }
    stopping.clear();
    return released;
  }

  /** Whether somebody gave quota back. */
  private boolean take(Outcome outcome) {
    life.decided(outcome, now);
    List<StatusChange> changes = new ArrayList<>(outcome.others());
    changes.add(outcome.change());
    boolean released = false;
    for (StatusChange change : changes) {
      if (change.isReal()) {
        WorkloadState after = change.after();
        engine.apply(new Change.StatusStored(after.key(), after.uid()), now);
        changed(after.key());
        if (after.finished()) { // a slice that another one replaces
          running.remove(after.key());
        } else if (after.evicted() && after.holdsQuota() && evictsLate) {
          stopping.add(after.key());
        } else if (after.evicted() && after.holdsQuota()) {
          released |= release(after.key());
        }
      }
    }
    if (outcome.decision() instanceof Decision.Reserved) {
      WorkloadState head = outcome.change().after();
      life.started(head, now);
      endsIn(head.key(), life.seconds(head, now));
    }
    return released;
  }

  private boolean release(ObjectKey key) {
    running.remove(key);
    Workload workload = snapshot().workload(key);
    if (workload == null || workload.status().admission() == null) {
      return false;
    }
    store(
        workload,
        new StatusEditor(workload, detail, now)
            .giveBack(PendingReason.PENDING_EVALUATION.text(), "it was evicted")
            .requeue(true, ConditionTypes.PREEMPTED, "it was evicted"));
    changed(key);
    return true;
  }
}
