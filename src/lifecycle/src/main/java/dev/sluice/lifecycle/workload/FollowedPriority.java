package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.workload.PriorityClassKind;
import dev.sluice.api.workload.PriorityClassRef;
import java.util.List;
import java.util.Optional;

/** The priority of a Workload is that of its class, also after the class has changed. */
final class FollowedPriority {
  private FollowedPriority() {}

  static ReconcileStep followed(WorkloadContext context) {
    PriorityClassRef ref = context.workload().spec().priorityClassRef();
    if (ref == null || ref.kind() != PriorityClassKind.WORKLOAD_PRIORITY_CLASS) {
      return ReconcileStep.REST; // the priority of pods is what it was when they were made
    }
    Optional<Integer> value = context.around().priority(ref.name());
    if (value.isEmpty() || value.get().equals(context.workload().spec().priority())) {
      return ReconcileStep.REST; // a change of the class brings it back here
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("spec").put("priority", value.get());
    return ReconcileStep.writing(List.of(context.patch(body)));
  }
}
