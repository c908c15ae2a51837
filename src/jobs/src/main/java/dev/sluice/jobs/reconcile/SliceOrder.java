package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Optional;

/** The order of the slices of an elastic job, by their annotations. */
public final class SliceOrder {
  private SliceOrder() {}

  /** The name of the first slice of the series; empty if the Workload is in no series. */
  public static String origin(JsonNode workload) {
    return workload.at("/metadata/annotations").path(Annotations.WORKLOAD_SLICE_NAME).asText();
  }

  /** The full name of the slice that this one replaces; empty for none. */
  public static String predecessor(WorkloadView slice) {
    return slice.meta().annotationText(Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR);
  }

  /** Whether another slice has replaced this one, so that its job goes on without it. */
  public static boolean isReplaced(WorkloadView slice) {
    return slice.isFinished()
        && slice.text(ConditionTypes.FINISHED, "reason").equals(Reasons.WORKLOAD_SLICE_REPLACED);
  }

  /** Whether one slice replaces the other. */
  static boolean replaces(WorkloadView one, WorkloadView other) {
    return predecessor(one).equals(other.fullName());
  }

  /** Whether it was made to replace another slice. */
  static boolean isReplacement(WorkloadView workload) {
    return !predecessor(workload).isEmpty();
  }

  /** Of two slices created in the same second, the replacing one is newer. */
  static Optional<WorkloadView> newest(List<WorkloadView> some) {
    return some.stream()
        .filter(old -> some.stream().noneMatch(it -> replaces(it, old)))
        .max(WorkloadView.BY_AGE);
  }

  /** The newest admitted slice: its quota allows Pods to start. */
  public static Optional<JsonNode> newestAdmitted(List<JsonNode> workloads) {
    return newest(
            workloads.stream()
                .map(WorkloadView::new)
                .filter(it -> it.hasReservation() && it.isAdmitted())
                .filter(it -> !it.isEvicted() && !it.isFinished())
                .toList())
        .map(WorkloadView::tree);
  }
}
