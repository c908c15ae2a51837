package dev.sluice.lifecycle.workload;

import dev.sluice.api.ApiKind;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.StatusWrite;
import dev.sluice.api.write.Write;
import java.util.Optional;

/** Makes the write that gives a Workload another status. */
public final class StatusPatch {
  private static final String MANAGER = "kueue-admission";

  private StatusPatch() {}

  /** The patch of what differs, for exactly that version; empty where nothing does. */
  public static Optional<Write> patch(Workload latest, WorkloadStatus wanted) {
    return StatusWrite.between(
        ref(latest), latest.metadata().resourceVersion(), latest.status(), wanted, MANAGER);
  }

  public static ObjectRef ref(Workload workload) {
    var metadata = workload.metadata();
    return new ObjectRef(
        ApiKind.WORKLOAD.hub(), metadata.namespace(), metadata.name(), metadata.uid());
  }
}
