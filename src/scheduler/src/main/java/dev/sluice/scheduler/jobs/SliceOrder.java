package dev.sluice.scheduler.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.webhook.rules.jobs.Keys;
import java.util.List;
import java.util.Optional;

/** The order of the Workloads of a job that grew, by what stands in them. */
public final class SliceOrder {
  private SliceOrder() {}

  /** The name of the first that this one took over from; empty if it is of no such row. */
  public static String origin(JsonNode workload) {
    return workload.at("/metadata/annotations").path(Keys.SLICE_NAME).asText();
  }

  /** Whether the one is to take over from the other. */
  static boolean replaces(WorkloadFacts one, WorkloadFacts other) {
    return one.meta().annotationText(Keys.SLICE_REPLACES).equals(other.fullName());
  }

  /** Of those made in the same second, the one that takes over from the other is newer. */
  static Optional<WorkloadFacts> newest(List<WorkloadFacts> some) {
    return some.stream()
        .filter(old -> some.stream().noneMatch(it -> replaces(it, old)))
        .max(WorkloadFacts.BY_AGE);
  }

  /** The newest that has quota and is admitted: by what it has, Pods may start. */
  public static Optional<JsonNode> newestAdmitted(List<JsonNode> workloads) {
    return newest(
            workloads.stream()
                .map(WorkloadFacts::new)
                .filter(it -> it.hasReservation() && it.isAdmitted())
                .filter(it -> !it.isEvicted() && !it.isFinished())
                .toList())
        .map(WorkloadFacts::tree);
  }
}
