package dev.sluice.scheduler.workload;

import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.scheduler.engine.StatusUpdate;
import java.util.Optional;

/** Says whether a decision may be written to a Workload that changed after the decision. */
final class DecisionValidity {
  private DecisionValidity() {}

  /** Whether the decision still makes sense for what the Workload has become. */
  static boolean holds(StatusUpdate decided, Workload latest) {
    Workload base = decided.base();
    boolean mayGo = // then it gives back what it holds only when its pods are gone
        decided.kind() == StatusUpdate.Kind.EVICTED || decided.kind() == StatusUpdate.Kind.REPLACED;
    boolean same =
        base.metadata().uid().equals(latest.metadata().uid())
            && !latest.status().isTrue(ConditionTypes.FINISHED)
            && (mayGo || latest.metadata().deletionTimestamp() == null);
    boolean reserved = latest.status().isTrue(ConditionTypes.QUOTA_RESERVED);
    return same
        && switch (decided.kind()) {
          case RESERVED ->
              !reserved
                  && base.spec().equals(latest.spec())
                  && base.status().admissionChecks().equals(latest.status().admissionChecks())
                  && base.status().reclaimablePods().equals(latest.status().reclaimablePods());
          case PLACED -> reserved && isPlacedAlike(base, latest);
          case EVICTED -> reserved && !latest.status().isTrue(ConditionTypes.EVICTED);
          case UNPLACED -> false;
          case PENDING -> !reserved && base.spec().equals(latest.spec());
          case REPLACED -> true;
        };
  }

  /** Whether what places are wanted for is the same. */
  private static boolean isPlacedAlike(Workload base, Workload latest) {
    WorkloadStatus then = base.status();
    WorkloadStatus now = latest.status();
    return !latest.status().isTrue(ConditionTypes.EVICTED)
        && base.spec().equals(latest.spec())
        && Optional.ofNullable(then.admission()).equals(Optional.ofNullable(now.admission()))
        && then.admissionChecks().equals(now.admissionChecks())
        && then.unhealthyNodes().equals(now.unhealthyNodes());
  }
}
