package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.workload.PriorityClassKind;
import dev.sluice.api.workload.PriorityClassRef;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Workload gets the new priority of its class when the value of the class changes. Until then a
 * priority edited on the Workload is kept. An annotation marks the edit with the value that the
 * class had, so the edit survives a restart, and a change of the class is also seen after one.
 *
 * <p>A Workload without an owner has the priority that its creator gave it, until its class is seen
 * to change. A Workload that a manager of another cluster made keeps the priority that the manager
 * gives it: a class of the same name may have another value here.
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
    return context
        .dependencies()
        .priority(ref.name())
        .map(value -> followed(context, ref.name(), value))
        .orElse(ReconcileStep.REST); // a change of the class brings it back here
  }

  private static ReconcileStep followed(WorkloadContext context, String className, int value) {
    String present = className + "=" + value;
    @Nullable String mark = context.metadata().annotations().get(Annotations.EDITED_PRIORITY);
    if (Integer.valueOf(value).equals(context.workload().spec().priority())) {
      return mark == null ? ReconcileStep.REST : marking(context, null, Optional.empty());
    }
    if (present.equals(mark)) {
      return ReconcileStep.REST; // edited under this value of the class
    }
    ObjectKey key = ObjectKey.of(context.metadata());
    boolean isBehind = context.dependencies().isPriorityBehind(key);
    if (mark == null && !isBehind && context.dependencies().isPriorityEdited(key)) {
      return marking(context, present, Optional.empty());
    }
    boolean follows = mark != null || isBehind || !context.metadata().ownerReferences().isEmpty();
    return follows ? marking(context, null, Optional.of(value)) : ReconcileStep.REST;
  }

  private static ReconcileStep marking(
      WorkloadContext context, @Nullable String mark, Optional<Integer> priority) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (mark != null || context.metadata().annotations().containsKey(Annotations.EDITED_PRIORITY)) {
      body.putObject("metadata").putObject("annotations").put(Annotations.EDITED_PRIORITY, mark);
    }
    priority.ifPresent(value -> body.putObject("spec").put("priority", value));
    return ReconcileStep.writing(List.of(context.patch(body)));
  }
}
