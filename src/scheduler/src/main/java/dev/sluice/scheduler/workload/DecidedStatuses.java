package dev.sluice.scheduler.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.workload.ReconcileStep;
import dev.sluice.lifecycle.workload.WorkloadDependencies;
import dev.sluice.lifecycle.workload.WorkloadReconciler;
import dev.sluice.scheduler.engine.StatusUpdate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The statuses that store decisions. That of a reservation also has what it leads to at once: the
 * list of its checks, what it waits for, and the workers that it is offered to. Each would be a
 * write of its own, which costs the API server as much as the reservation. Thread-safe.
 */
final class DecidedStatuses {
  private final WorkloadReconciler reconciler;
  private final WorkloadDependencies dependencies;
  private final Nominations nominations;

  /**
   * The whole status to store, and the events to send after it.
   *
   * @param stored called once it is stored
   */
  record Completed(WorkloadStatus status, List<Write.Event> events, Runnable stored) {
    Completed {
      events = List.copyOf(events);
    }

    private static Completed of(WorkloadStatus status, List<Write.Event> events) {
      return new Completed(status, events, () -> {});
    }
  }

  DecidedStatuses(
      WorkloadReconciler reconciler, WorkloadDependencies dependencies, Nominations nominations) {
    this.reconciler = reconciler;
    this.dependencies = dependencies;
    this.nominations = nominations;
  }

  /**
   * The status that stores a decision.
   *
   * @param stored the Workload as the API server has it
   * @param latest the same, read
   * @param leadsSince when this scheduler began to look after Workloads
   */
  Completed of(
      StatusUpdate decided, JsonNode stored, Workload latest, Instant leadsSince, Instant now) {
    WorkloadStatus carried =
        StatusDelta.carry(decided.base().status(), decided.after().status(), latest.status());
    if (decided.kind() != StatusUpdate.Kind.RESERVED) {
      return Completed.of(carried, List.of());
    }
    ReconcileStep step = reconciler.following(latest.with(carried), dependencies, leadsSince, now);
    return offered(stored, latest, step.status().orElse(carried), step.events());
  }

  private Completed offered(
      JsonNode stored, Workload latest, WorkloadStatus status, List<Write.Event> events) {
    if (status.admissionChecks().isEmpty()) {
      return Completed.of(status, events);
    }
    JsonNode difference =
        MergePatch.between(HubObjects.write(latest.status()), HubObjects.write(status));
    JsonNode reserved = JsonNodeFactory.instance.objectNode().set("status", difference);
    Nominations.Nomination nomination = nominations.of(MergePatch.applied(stored, reserved));
    if (nomination.clusters().isEmpty()) {
      return Completed.of(status, events);
    }
    return new Completed(
        status.toBuilder().nominatedClusterNames(nomination.clusters()).build(),
        Stream.concat(events.stream(), nomination.events().stream()).toList(),
        nomination.stored());
  }
}
