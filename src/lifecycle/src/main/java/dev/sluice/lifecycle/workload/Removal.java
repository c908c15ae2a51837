package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.FINISHED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deletes finished Workloads after their retention time, and finishes Workloads without owner. */
final class Removal {
  private Removal() {}

  /** Whether it was created for a job that no longer owns it, or is deleted without an owner. */
  static boolean isOrphan(WorkloadContext context) {
    var metadata = context.metadata();
    boolean alone = metadata.ownerReferences().isEmpty();
    boolean left =
        metadata.deletionTimestamp() != null || metadata.labels().containsKey(Labels.JOB_UID);
    return context.settings().finishOrphans() && alone && left;
  }

  static ReconcileStep orphaned(WorkloadContext context) {
    boolean deleted = context.metadata().deletionTimestamp() != null;
    if (!deleted && !context.isTrue(FINISHED)) {
      return ReconcileStep.status(
          context.edit().finish(Reasons.OWNER_NOT_FOUND, "The workload's owner no longer exists"));
    }
    return context.hasFinalizer()
        ? ReconcileStep.writing(List.of(context.withoutFinalizer()))
        : deleted ? ReconcileStep.REST : finished(context);
  }

  /**
   * Whether it is a variant from before the gate of concurrent admission was switched off. Without
   * variants, the Workload that it is of is queued itself.
   */
  static boolean isLeftOver(WorkloadContext context) {
    return context.isVariant() && !context.settings().splits();
  }

  static ReconcileStep leftOver(WorkloadContext context) {
    return ReconcileStep.writing(withFinalizer(context));
  }

  private static List<Write> withFinalizer(WorkloadContext context) {
    List<Write> writes = new ArrayList<>();
    if (context.hasFinalizer()) {
      writes.add(context.withoutFinalizer());
    }
    if (context.metadata().deletionTimestamp() == null) {
      writes.add(new Write.Delete(context.ref()));
    }
    return writes;
  }

  static ReconcileStep finished(WorkloadContext context) {
    Optional<Instant> due =
        context
            .settings()
            .afterFinished()
            .flatMap(
                kept ->
                    context
                        .condition(FINISHED)
                        .map(Condition::lastTransitionTime)
                        .map(since -> since.plus(kept)));
    if (due.isEmpty() || context.metadata().deletionTimestamp() != null) {
      return ReconcileStep.REST;
    }
    if (context.now().isBefore(due.get())) {
      return ReconcileStep.at(due);
    }
    List<Write> writes = withFinalizer(context);
    writes.add(
        context.event(
            "Normal", EventReasons.DELETED, "Deleted finished workload due to elapsed retention"));
    return ReconcileStep.writing(writes);
  }
}
