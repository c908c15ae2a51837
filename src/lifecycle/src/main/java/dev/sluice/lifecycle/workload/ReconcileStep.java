package dev.sluice.lifecycle.workload;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The next step for a Workload; once it is done and observed, the Workload is reconciled again.
 *
 * @param status the new status; empty if it stays
 * @param writes other writes, in order
 * @param events the events to send once all is written
 * @param again when to reconcile again without a change
 */
public record ReconcileStep(
    Optional<WorkloadStatus> status,
    List<Write> writes,
    List<Write.Event> events,
    Optional<Instant> again) {
  static final ReconcileStep REST =
      new ReconcileStep(Optional.empty(), List.of(), List.of(), Optional.empty());

  public ReconcileStep {
    requireNonNull(status, "status");
    writes = List.copyOf(writes);
    events = List.copyOf(events);
  }

  static ReconcileStep status(StatusEditor edit, Write.Event... events) {
    return new ReconcileStep(
        Optional.of(edit.build()), List.of(), List.of(events), Optional.empty());
  }

  static ReconcileStep writing(List<Write> writes) {
    return new ReconcileStep(Optional.empty(), writes, List.of(), Optional.empty());
  }

  static ReconcileStep at(Optional<Instant> again) {
    return new ReconcileStep(Optional.empty(), List.of(), List.of(), again);
  }

  public boolean isRest() {
    return status.isEmpty() && writes.isEmpty();
  }
}
