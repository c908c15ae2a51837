package dev.sluice.jobs.workload;

import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Writes;
import java.time.Instant;

/**
 * Keeps a Workload without quota, and out of its queue, while its job can or wants to run no Pods.
 */
public final class OnHold {
  private OnHold() {}

  public static boolean isHeld(WorkloadView workload) {
    return !workload.hasReservation()
        && workload
            .text(ConditionTypes.QUOTA_RESERVED, "reason")
            .equals(PendingReason.ON_HOLD.text());
  }

  /**
   * Releases its quota, and removes it from its queue.
   *
   * @param message why, for users
   */
  public static void begin(
      WorkloadView workload, String message, JobSettings settings, Instant now, Writes writes) {
    set(workload, PendingReason.ON_HOLD.text(), message, settings, now, writes);
  }

  /** Puts it back into its queue. */
  public static void end(WorkloadView workload, JobSettings settings, Instant now, Writes writes) {
    String message = "Workload no longer on hold; waiting for quota reservation";
    set(workload, PendingReason.PENDING_EVALUATION.text(), message, settings, now, writes);
  }

  private static void set(
      WorkloadView workload,
      String reason,
      String message,
      JobSettings settings,
      Instant now,
      Writes writes) {
    WorkloadEdit edit = WorkloadEdit.of(workload, StatusDetail.of(settings.gates()), now);
    edit.status().giveBack(reason, message);
    edit.addTo(writes, Writes.ADMISSION);
  }
}
