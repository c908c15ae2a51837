package dev.sluice.see.explain;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.forecast.VirtualCluster;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what becomes of one workload after a change. Each trial begins where nothing is left to
 * decide, and goes on until that is so again. Where somebody is evicted, it is made twice, as pods
 * end at once or late, and counts only if both end alike. Bounded: all trials together take so many
 * decisions, no more. For one thread.
 */
final class LineTrials {
  private static final int MOST_TO_REST = 2_000;
  private static final int MOST_OF_A_TRIAL = 500;
  private static final int MOST = 5_000;

  private final ObjectKey key;
  private final Instant now;
  private final @Nullable VirtualCluster rest;
  private int decisions;

  /** The decisions of one trial, and who is evicted for the workload. */
  private final class Watch implements VirtualCluster.Life {
    private final Set<ObjectKey> evicted = new LinkedHashSet<>();
    private boolean anyIsEvicted;

    @Override
    public double seconds(WorkloadState workload, Instant at) {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public void decided(Outcome outcome, Instant at) {
      decisions++;
      anyIsEvicted |= !outcome.others().isEmpty();
      if (outcome.workload().equals(key) && outcome.decision() instanceof Decision.Preempting it) {
        it.targets().stream().map(Target::workload).forEach(evicted::add);
      }
    }
  }

  /**
   * Trials about that workload.
   *
   * @param engine belongs to them from here on
   * @param waiting how many wait in it
   */
  LineTrials(QuotaEngine engine, ObjectKey key, Instant now, int waiting) {
    this.key = key;
    this.now = now;
    VirtualCluster cluster = new VirtualCluster(engine, now, new Watch());
    this.rest = waiting <= MOST_TO_REST && cluster.settle(2 * MOST_TO_REST) ? cluster : null;
    this.decisions = 0;
  }

  /**
   * Who is evicted for the workload if it holds quota in the end.
   *
   * @param edits changes of objects
   * @param ended workloads to remove
   * @return empty if it holds none, or if that takes too long to find out
   */
  Optional<Set<ObjectKey>> evicted(List<Change> edits, Set<ObjectKey> ended) {
    VirtualCluster begin = rest;
    if (begin == null || decisions > MOST) {
      return Optional.empty();
    }
    Watch atOnce = tried(begin, edits, ended, false);
    Watch end = atOnce != null && atOnce.anyIsEvicted ? tried(begin, edits, ended, true) : atOnce;
    return end == null ? Optional.empty() : Optional.of(end.evicted);
  }

  /** What was seen; null if the workload holds no quota in the end. */
  private @Nullable Watch tried(
      VirtualCluster begin, List<Change> edits, Set<ObjectKey> ended, boolean late) {
    Watch watch = new Watch();
    VirtualCluster trial = new VirtualCluster(begin.fork(), now, watch);
    if (late) {
      trial.evictLate();
    }
    ended.forEach(gone -> trial.apply(new Change.Deleted(ObjectKind.WORKLOAD, gone)));
    edits.forEach(trial::apply);
    if (!trial.settle(MOST_OF_A_TRIAL)) {
      return null;
    }
    WorkloadState after = trial.snapshot().state(key);
    return after != null && after.holdsQuota() && !after.evicted() ? watch : null;
  }
}
