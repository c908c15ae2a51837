package dev.sluice.see.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The queues played forward once, in the course that is most likely: each job runs for the time
 * that half of its group do not exceed, and nobody else comes. The same input gives the same
 * course. For one thread.
 */
public final class Course implements VirtualCluster.Life {
  /** So many events are played at most. */
  public static final int MOST_EVENTS = 200_000;

  private static final double HALF = 0.5;
  private static final int DECISIONS_OF_AN_EVENT = 20_000;

  private final Snapshot snapshot;
  private final RunEstimates estimates;
  private final VirtualCluster cluster;
  private final Predicate<String> queues;
  private final Map<ObjectKey, Optional<Instant>> starts = new LinkedHashMap<>();
  private int waiting;

  /**
   * What happened.
   *
   * @param starts of all that waited at first or were evicted later: when each got quota last;
   *     empty if it waits in the end
   * @param until which time is known
   * @param whole whether that is all that was wanted
   */
  public record Played(Map<ObjectKey, Optional<Instant>> starts, Instant until, boolean whole) {
    public Played {
      starts = Map.copyOf(starts);
    }
  }

  private Course(QuotaEngine engine, Instant now, KnownRuns runs, Predicate<String> queues) {
    this.queues = queues;
    this.snapshot = engine.snapshot(now);
    this.estimates = new RunEstimates(snapshot, now, runs);
    this.cluster = new VirtualCluster(engine, now, this);
    cluster.assumePodsReady();
  }

  /**
   * Plays that far, all at the same pace: where the time is over first, all are known about as far.
   *
   * @param engines to play, in the same order as the result; belong to the plays from here on
   * @param queues the ClusterQueues that are played. They must share no quota and no nodes with the
   *     others, where no job ends and whose Workloads are not in the result
   * @param goOn whether there is time left; asked after each event
   */
  public static List<Played> play(
      List<QuotaEngine> engines,
      Instant now,
      KnownRuns runs,
      Duration forward,
      Predicate<String> queues,
      BooleanSupplier goOn) {
    Instant end = now.plus(forward);
    List<Course> courses = engines.stream().map(it -> new Course(it, now, runs, queues)).toList();
    boolean whole = true;
    for (Course course : courses) {
      whole &= course.begin();
    }
    while (whole) {
      Course first = Collections.min(courses, Comparator.comparing(course -> course.next(end)));
      if (first.next(end).equals(Instant.MAX)) {
        break;
      }
      whole = goOn.getAsBoolean() && first.cluster.handled() < MOST_EVENTS;
      if (whole) {
        first.cluster.step();
      }
    }
    boolean isWhole = whole;
    return courses.stream().map(it -> it.played(end, isWhole)).toList();
  }

  /** Whether nothing more is to be decided at first. */
  private boolean begin() {
    for (String queue : snapshot.clusterQueues().stream().filter(queues).toList()) {
      snapshot.holders(queue).forEach(this::goesOn);
      for (WaitingLine.Place place : snapshot.line(queue).places()) {
        waits(place.workload().key());
      }
    }
    return cluster.settle(DECISIONS_OF_AN_EVENT);
  }

  /** When it goes on; the latest time there is if nothing is left to see before the end. */
  private Instant next(Instant end) {
    return waiting == 0
        ? Instant.MAX
        : cluster.next().filter(it -> !it.isAfter(end)).orElse(Instant.MAX);
  }

  private Played played(Instant end, boolean whole) {
    return new Played(starts, whole ? end : cluster.now(), whole);
  }

  private void goesOn(WorkloadState holder) {
    if (holder.evicted()) {
      waits(holder.key());
      cluster.releasesIn(holder.key(), Forecaster.STOPPING_SECONDS);
      return;
    }
    double elapsed = estimates.elapsed(holder);
    estimates
        .of(holder.key())
        .ifPresent(it -> cluster.endsIn(holder.key(), it.quantile(elapsed, HALF) - elapsed));
  }

  private boolean isPlayed(WorkloadState workload) {
    String queue = snapshot.queueFor(workload);
    return queue != null && queues.test(queue);
  }

  private void waits(ObjectKey key) {
    Optional<Instant> before = starts.put(key, Optional.empty());
    if (before == null || before.isPresent()) {
      waiting++;
    }
  }

  @Override
  public void decided(Outcome outcome, Instant at) {
    for (StatusChange change : outcome.others()) {
      WorkloadState other = change.after();
      if (change.isReal() && other.evicted() && !other.finished() && isPlayed(other)) {
        waits(other.key());
      }
    }
  }

  @Override
  public void started(WorkloadState workload, Instant at) {
    if (!isPlayed(workload)) {
      return;
    }
    Optional<Instant> before = starts.put(workload.key(), Optional.of(at));
    if (before != null && before.isEmpty()) {
      waiting--;
    }
  }

  @Override
  public double seconds(WorkloadState workload, Instant at) {
    return !isPlayed(workload)
        ? Double.POSITIVE_INFINITY
        : estimates
            .of(workload.key())
            .map(it -> it.quantile(0, HALF))
            .orElse(Double.POSITIVE_INFINITY);
  }
}
