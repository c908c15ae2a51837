package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import java.time.Instant;

/** A change of a Workload's status in a plan. One thread. */
public final class WorkloadEdit {
  private final WorkloadView seen;
  private final WorkloadStatus before;
  private final StatusEditor status;

  private WorkloadEdit(WorkloadView seen, StatusDetail detail, Instant now) {
    this.seen = seen;
    JsonNode tree = seen.tree();
    JsonNode written = tree.path("status");
    this.before =
        written.isMissingNode()
            ? WorkloadStatus.EMPTY
            : HubObjects.read(WorkloadStatus.class, written);
    long generation = tree.path("metadata").path("generation").asLong();
    this.status = new StatusEditor(before, generation, detail, now);
  }

  /**
   * A change that may say why the Workload has no quota.
   *
   * @throws dev.sluice.api.read.MalformedObjectException if the status has not its form
   */
  public static WorkloadEdit of(WorkloadView seen, StatusDetail detail, Instant now) {
    return new WorkloadEdit(seen, detail, now);
  }

  /**
   * A change that leaves alone why the Workload has no quota.
   *
   * @throws dev.sluice.api.read.MalformedObjectException if the status has not its form
   */
  public static WorkloadEdit of(WorkloadView seen, Instant now) {
    return new WorkloadEdit(seen, StatusDetail.GRANULAR, now);
  }

  /** The status, to be changed. */
  public StatusEditor status() {
    return status;
  }

  /** Adds the write of the difference, if there is one. */
  public void addTo(Writes writes, String manager) {
    ObjectNode difference =
        Patches.between(HubObjects.write(before), HubObjects.write(status.build()));
    if (!difference.isEmpty()) {
      writes.patchStatus(WorkloadView.TYPE, seen.tree(), difference, manager);
    }
  }
}
