package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.IMPOSSIBLE_PLACEMENT;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.ImpossiblePlacement;
import java.util.Optional;

/**
 * Reports a Workload that holds quota with impossible places. It was stored before admission
 * refused such a status. Its quota counts, none of its places is booked, and none of its gated pods
 * starts; a condition reports that until the status is repaired.
 */
final class ImpossiblePlaces {
  /** The limit of the schema; if the list is full, only the event is sent. */
  private static final int MAX_CONDITIONS = 16;

  private ImpossiblePlaces() {}

  static ReconcileStep told(WorkloadContext context) {
    Optional<Condition> known = context.condition(IMPOSSIBLE_PLACEMENT);
    Optional<String> message = problem(context).map(ImpossiblePlaces::message);
    if (message.isEmpty()) {
      return known.isEmpty()
          ? ReconcileStep.REST
          : ReconcileStep.status(context.edit().without(IMPOSSIBLE_PLACEMENT));
    }
    boolean isTold = known.map(Condition::message).equals(message);
    boolean isFull = context.workload().status().conditions().size() >= MAX_CONDITIONS;
    return isTold || (known.isEmpty() && isFull)
        ? ReconcileStep.REST
        : ReconcileStep.status(
            context
                .edit()
                .set(IMPOSSIBLE_PLACEMENT, true, Reasons.IMPOSSIBLE_PLACEMENT, message.get()),
            context.event("Warning", Reasons.IMPOSSIBLE_PLACEMENT, message.get()));
  }

  private static Optional<ImpossiblePlacement> problem(WorkloadContext context) {
    Admission admission = context.workload().status().admission();
    return admission == null || !context.reserved()
        ? Optional.empty()
        : ImpossiblePlacement.of(admission, context.workload().spec().podSets());
  }

  private static String message(ImpossiblePlacement problem) {
    return problem.text()
        + "; no place of it is booked and no pod is placed by it until the assignment is corrected"
        + " or the Workload is evicted";
  }
}
