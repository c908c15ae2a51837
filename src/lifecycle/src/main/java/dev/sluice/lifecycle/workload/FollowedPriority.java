package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.workload.PriorityClassKind;
import dev.sluice.api.workload.PriorityClassRef;
import java.util.List;
import java.util.Optional;

/**
 * A Workload gets the new priority of its class when the value of the class changes. Until then a
 * priority edited on the Workload is kept. An annotation holds the value that was applied last, so
 * a change of the class is also seen after a restart.
 *
 * <p>A Workload that a manager of another cluster made keeps the priority that the manager gives
 * it: a class of the same name may have another value here.
 */
final class FollowedPriority {
  private FollowedPriority() {}

  static ReconcileStep followed(WorkloadContext context) {
    PriorityClassRef ref = context.workload().spec().priorityClassRef();
    if (ref == null || ref.kind() != PriorityClassKind.WORKLOAD_PRIORITY_CLASS) {
      return ReconcileStep.REST; // the priority of pods is what it was when they were made
    }
    if (context.metadata().labels().containsKey(Labels.MULTI_KUEUE_ORIGIN)) {
      return ReconcileStep.REST; // the manager of another cluster follows its own class
    }
    Optional<Integer> value = context.dependencies().priority(ref.name());
    if (value.isEmpty()) {
      return ReconcileStep.REST; // a change of the class brings it back here
    }
    String present = ref.name() + "=" + value.get();
    String followed = context.metadata().annotations().get(Annotations.FOLLOWED_PRIORITY_CLASS);
    if (present.equals(followed)) {
      return ReconcileStep.REST; // a change of the class brings it back here
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata")
        .putObject("annotations")
        .put(Annotations.FOLLOWED_PRIORITY_CLASS, present);
    if (followed != null && !value.get().equals(context.workload().spec().priority())) {
      body.putObject("spec").put("priority", value.get());
    }
    return ReconcileStep.writing(List.of(context.patch(body)));
  }
}
