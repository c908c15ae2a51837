package dev.sluice.lifecycle.workload;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What to do next about a Workload; after it was done and seen, the Workload is looked at again.
 *
 * @param status the status it is to have; empty where it stays
 * @param writes what else is to be written, in order
 * @param events what users are told when all is written
 * @param again when to look again though nothing changed
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
