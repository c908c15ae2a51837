package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import java.time.Instant;
import java.util.Set;

/** Releases the quota of evicted Workloads once no Pod of their job runs. */
public final class Evictions {
  private static final Set<String> TRIED_AGAIN_AT_ONCE =
      Set.of(ConditionTypes.PREEMPTED, Reasons.NODE_FAILURES);

  private Evictions() {}

  /** Releases the quota of an evicted Workload and requeues it if it may be admitted again. */
  public static void clear(
      WorkloadView workload, JobSettings settings, Instant now, Writes writes) {
    String reason = workload.text(ConditionTypes.EVICTED, "reason");
    String message = workload.text(ConditionTypes.EVICTED, "message");
    WorkloadEdit edit = WorkloadEdit.of(workload, StatusDetail.of(settings.gates()), now);
    edit.status()
        .requeue(isTriedAgain(workload, reason, settings), reason, message)
        .giveBack(PendingReason.PENDING_EVALUATION.text(), message);
    Readiness.begin(workload, edit.status());
    edit.addTo(writes, Writes.ADMISSION);
  }

  private static boolean isTriedAgain(WorkloadView workload, String reason, JobSettings settings) {
    boolean isOfOnePod =
        workload.meta().controller().filter(it -> it.kind().equals(JobKey.POD)).isPresent();
    return TRIED_AGAIN_AT_ONCE.contains(reason)
        && !(isOfOnePod && settings.isOn(FeatureGate.SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS));
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
