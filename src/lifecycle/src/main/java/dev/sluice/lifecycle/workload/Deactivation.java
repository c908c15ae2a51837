package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.DEACTIVATION_TARGET;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.StatusEditor;
import java.util.List;
import java.util.Optional;

/** Deactivates a Workload, for good or until a user activates it. */
final class Deactivation {
  private Deactivation() {}

  /** A component first writes its reason into a condition; then the spec is changed. */
  static ReconcileStep targeted(WorkloadContext context) {
    if (!context.isTrue(DEACTIVATION_TARGET) || !context.active()) {
      return ReconcileStep.REST;
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("spec").put("active", false);
    return ReconcileStep.writing(List.of(context.patch(body)));
  }

  /** A Workload that is not active is evicted. */
  static ReconcileStep evicted(WorkloadContext context) {
    boolean isNew = context.isTrue(DEACTIVATION_TARGET); // found out after it was active again
    if (context.active() || (alreadyOut(context) && !isNew)) {
      return ReconcileStep.REST;
    }
    Optional<Condition> target =
        context.condition(DEACTIVATION_TARGET).filter(c -> c.status() == ConditionStatus.TRUE);
    String cause = target.map(Condition::reason).orElse("");
    String message =
        "The workload is deactivated" + target.map(c -> " due to " + c.message()).orElse("");
    String reason =
        cause.isEmpty() ? Reasons.DEACTIVATED : Reasons.DEACTIVATED + Reasons.DUE_TO + cause;
    StatusEditor edit =
        context
            .edit()
            .evict(reason, Reasons.DEACTIVATED, cause, message)
            .without(DEACTIVATION_TARGET)
            .requeueState(null);
    if (cause.equals(Reasons.MAXIMUM_EXECUTION_TIME_EXCEEDED)) {
      edit.accumulated(null);
    }
    return ReconcileStep.status(
        edit, context.event("Normal", EventReasons.EVICTED_DUE_TO + reason, message));
  }

  private static boolean alreadyOut(WorkloadContext context) {
    return context
        .condition(EVICTED)
        .filter(
            c -> c.status() == ConditionStatus.TRUE && c.reason().startsWith(Reasons.DEACTIVATED))
        .isPresent();
  }

  /** What makes the next looks take it out. */
  static StatusEditor target(WorkloadContext context, String reason, String message) {
    return context.edit().set(DEACTIVATION_TARGET, true, reason, message);
  }
}
