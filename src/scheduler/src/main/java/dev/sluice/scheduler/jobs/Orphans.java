package dev.sluice.scheduler.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import java.time.Instant;

/** Lets go of Workloads, and of what else our finalizers hold. */
final class Orphans {
  private Orphans() {}

  /**
   * Ends a Workload whose job is gone or goes: first it is said to be finished, which frees its
   * quota, and once that is seen, nothing holds it any more.
   */
  static void end(WorkloadFacts workload, JobSettings settings, Instant now, Writes writes) {
    boolean mustFinish =
        !workload.isFinished()
            && !workload.meta().isBeingDeleted()
            && settings.isOn(FeatureGate.FINISH_ORPHANED_WORKLOADS);
    if (mustFinish) {
      finish(workload, "OwnerNotFound", "The workload's owner no longer exists", now, writes);
    } else {
      release(workload, writes);
    }
  }

  /** Says that a Workload is finished. */
  static void finish(
      WorkloadFacts workload, String reason, String message, Instant now, Writes writes) {
    writes.patchStatus(
        WorkloadFacts.TYPE,
        workload.tree(),
        Conditions.of(workload.tree(), now)
            .set(WorkloadFacts.FINISHED, true, reason, message)
            .status(),
        Writes.ADMISSION);
  }

  /** Takes our finalizer from a Workload that has it. */
  static void release(WorkloadFacts workload, Writes writes) {
    release(WorkloadFacts.TYPE, workload.tree(), WorkloadFacts.FINALIZER, writes);
  }

  /** Takes a finalizer from an object that has it. */
  static void release(GroupVersionKind kind, JsonNode object, String finalizer, Writes writes) {
    ArrayNode left = Patches.object().putArray("finalizers");
    for (JsonNode it : object.path("metadata").path("finalizers")) {
      if (!it.asText().equals(finalizer)) {
        left.add(it);
      }
    }
    if (left.size() < object.path("metadata").path("finalizers").size()) {
      ObjectNode patch = Patches.object();
      patch.putObject("metadata").set("finalizers", left);
      writes.patch(kind, object, patch);
    }
  }

  /** Deletes a Workload, released first, so that nothing of ours keeps it. */
  static void delete(WorkloadFacts workload, Writes writes) {
    release(workload, writes);
    if (!workload.meta().isBeingDeleted()) {
      writes.delete(WorkloadFacts.TYPE, workload.tree());
    }
  }
}
