package dev.sluice.jobs.reconcile;

import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.Evictions;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.Optional;

/**
 * The steps of a job whose Workload is evicted: it stops, its quota is released when no Pod of it
 * runs any more, and a deactivated one is deleted if the configuration says so.
 */
record JobEviction(Job job, JobWorld world, JobSettings settings, Instant now, Writes writes) {
  /** Plans the next step; returns when to look again though nothing changed. */
  Optional<Instant> plan(WorkloadView workload) {
    boolean holds = workload.hasReservation();
    if (holds || !job.isSuspended() || job.isHalfStopped()) {
      String reason = "WorkloadEvictedDueTo" + workload.text(ConditionTypes.EVICTED, "reason");
      String message = workload.text(ConditionTypes.EVICTED, "message");
      job.stop(new Job.Stop(reason, message), Optional.of(workload), writes);
    }
    if (!writes.isEmpty()) {
      return Optional.empty();
    }
    if (!holds) {
      return planDeactivated(workload);
    }
    if (hasStopped(workload)) {
      Evictions.clear(workload, settings, now, writes);
    }
    return Optional.empty();
  }

  /**
   * Whether no Pod of the job runs. What a job here says of Pods on another cluster is a copy, and
   * may be old.
   */
  boolean hasStopped(WorkloadView workload) {
    return switch (world.remoteStop(workload.tree())) {
      case LOCAL -> !job.isActive() || job.isRunElsewhere();
      case UNFOLLOWED -> !job.isActive();
      case MAY_RUN -> false; // when the last Pods have ended, the job is planned again
      case CERTAIN -> true;
    };
  }

  /** Deletes a job that was deactivated once it was kept long enough. */
  private Optional<Instant> planDeactivated(WorkloadView workload) {
    boolean isGivenUp =
        workload
                .text(ConditionTypes.EVICTED, "reason")
                .startsWith(Reasons.DEACTIVATED + Reasons.DUE_TO)
            && !workload.isActive();
    if (!isGivenUp || settings.afterDeactivated().isEmpty()) {
      return Optional.empty();
    }
    Instant end =
        Instant.parse(workload.text(ConditionTypes.EVICTED, "lastTransitionTime"))
            .plus(settings.afterDeactivated().get());
    if (now.isBefore(end)) {
      return Optional.of(end);
    }
    if (job.delete(writes)) {
      writes.event(
          job.kind(),
          job.tree(),
          EventReasons.DELETED,
          "Deactivated by Kueue, and kept as long as configured");
    }
    return Optional.empty();
  }
}
