package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Takes back what a Workload was given, once nothing of its job runs. */
public final class Evictions {
  /** The reason of a Workload that nobody has looked at yet. */
  public static final String NOT_LOOKED_AT = "PendingEvaluation";

  private static final Set<String> TRIED_AGAIN_AT_ONCE =
      Set.of(ConditionTypes.PREEMPTED, Reasons.NODE_FAILURES);

  private Evictions() {}

  /** Gives back the quota of an evicted Workload and says whether it may be tried again. */
  public static void clear(
      WorkloadView workload, JobSettings settings, Instant now, Writes writes) {
    String reason = workload.text(ConditionTypes.EVICTED, "reason");
    String message = workload.text(ConditionTypes.EVICTED, "message");
    Conditions conditions = Conditions.of(workload.tree(), now);
    conditions.set(
        ConditionTypes.REQUEUED, isTriedAgain(workload, reason, settings), reason, message);
    giveBack(workload, conditions, NOT_LOOKED_AT, message, settings, writes);
  }

  private static boolean isTriedAgain(WorkloadView workload, String reason, JobSettings settings) {
    boolean isOfOnePod =
        workload.meta().controller().filter(it -> it.kind().equals(JobKey.POD)).isPresent();
    return TRIED_AGAIN_AT_ONCE.contains(reason)
        && !(isOfOnePod && settings.isOn(FeatureGate.SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS));
  }

  /** Gives back the quota, whatever for, with these conditions. */
  public static void giveBack(
      WorkloadView workload,
      Conditions conditions,
      String reason,
      String message,
      JobSettings settings,
      Writes writes) {
    StatusDetail telling = StatusDetail.of(settings.gates());
    conditions.set(ConditionTypes.QUOTA_RESERVED, false, telling.notLookedAt(reason), message);
    if (workload.isAdmitted() || telling.tellsAnew()) {
      String why = telling.noReservation(workload.allChecksReady());
      conditions.set(ConditionTypes.ADMITTED, false, why, "The workload has no reservation");
    }
    ObjectNode status = conditions.status();
    status.putNull("admission");
    if (workload.isAdmitted() && !hasUsedUpItsTime(workload)) {
      status.put("accumulatedPastExecutionTimeSeconds", secondsRun(workload, conditions.now()));
    }
    writes.patchStatus(WorkloadView.TYPE, workload.tree(), status, Writes.ADMISSION);
  }

  /** Its time was forgotten when it was used up: who makes it active again gives it all anew. */
  private static boolean hasUsedUpItsTime(WorkloadView workload) {
    return workload.isEvicted()
        && workload
            .text(ConditionTypes.EVICTED, "reason")
            .equals("DeactivatedDueToMaximumExecutionTimeExceeded");
  }

  private static long secondsRun(WorkloadView workload, Instant now) {
    Instant since = Instant.parse(workload.text(ConditionTypes.ADMITTED, "lastTransitionTime"));
    long before =
        workload.tree().path("status").path("accumulatedPastExecutionTimeSeconds").asLong();
    return before + Math.max(0, Duration.between(since, now).toSeconds());
  }

  /** Moves a Workload without quota to the queue that its job names now. */
  public static void followQueue(JobObject job, WorkloadView workload, Writes writes) {
    if (workload.queueName().equals(job.queueName())) {
      return;
    }
    ObjectNode patch = Patches.object();
    ObjectNode spec = patch.putObject("spec");
    if (job.queueName().isEmpty()) {
      spec.putNull("queueName");
    } else {
      spec.put("queueName", job.queueName());
    }
    writes.patch(WorkloadView.TYPE, workload.tree(), patch);
  }
}
