package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.util.Optional;

/** Makes the write that gives a Workload another status. */
public final class StatusPatch {
  private static final String MANAGER = "kueue-admission";

  private StatusPatch() {}

  /** The patch of what differs, for exactly that version; empty where nothing does. */
  public static Optional<Write> patch(Workload latest, WorkloadStatus wanted) {
    ObjectNode difference =
        MergePatch.between(HubObjects.write(latest.status()), HubObjects.write(wanted));
    if (difference.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("status", difference);
    return Optional.of(
        new Write.MergePatch(
            ref(latest), "status", body, MANAGER, latest.metadata().resourceVersion()));
  }

  public static ObjectRef ref(Workload workload) {
    var metadata = workload.metadata();
    return new ObjectRef(
        ApiKind.WORKLOAD.hub(), metadata.namespace(), metadata.name(), metadata.uid());
  }
}
