package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import java.time.Instant;

/** Finishes Workloads, and removes our finalizers. */
public final class WorkloadFinalizer {
  private WorkloadFinalizer() {}

  /**
   * Finishes a Workload whose job was or is being deleted: first the condition Finished, which
   * releases its quota, and once that is observed, the finalizer is removed.
   */
  public static void end(WorkloadView workload, JobSettings settings, Instant now, Writes writes) {
    boolean mustFinish =
        !workload.isFinished()
            && !workload.meta().isBeingDeleted()
            && settings.isOn(FeatureGate.FINISH_ORPHANED_WORKLOADS);
    if (mustFinish) {
      finish(
          workload, Reasons.OWNER_NOT_FOUND, "The workload's owner no longer exists", now, writes);
    } else {
      release(workload, writes);
    }
  }

  /** Ends the Workloads of a job that was or is being deleted. */
  public static void endAllOf(
      GroupKind kind,
      String namespace,
      String job,
      JobWorld world,
      JobSettings settings,
      Instant now,
      Writes writes) {
    for (JsonNode tree : world.workloadsOwnedBy(kind, namespace, job)) {
      var workload = new WorkloadView(tree);
      boolean isControlled =
          workload
              .meta()
              .controller()
              .filter(it -> it.kind().equals(kind) && it.name().equals(job))
              .isPresent();
      if (isControlled) {
        end(workload, settings, now, writes);
      }
    }
  }

  /** Sets the condition Finished. */
  public static void finish(
      WorkloadView workload, String reason, String message, Instant now, Writes writes) {
    WorkloadEdit edit = WorkloadEdit.of(workload, now);
    edit.status().finish(reason, message);
    edit.addTo(writes, Writes.ADMISSION);
  }

  /** Removes our finalizer from a Workload that has it. */
  public static void release(WorkloadView workload, Writes writes) {
    release(WorkloadView.TYPE, workload.tree(), Finalizers.RESOURCE_IN_USE, writes);
  }

  /** Removes a finalizer from an object that has it. */
  public static void release(
      GroupVersionKind kind, JsonNode object, String finalizer, Writes writes) {
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
  public static void delete(WorkloadView workload, Writes writes) {
    release(workload, writes);
    if (!workload.meta().isBeingDeleted()) {
      writes.delete(WorkloadView.TYPE, workload.tree());
    }
  }
}
