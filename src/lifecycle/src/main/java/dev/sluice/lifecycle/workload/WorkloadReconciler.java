package dev.sluice.lifecycle.workload;

import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Says what to do next about a Workload, beside what the engine decides. Pure; keeps nothing
 * between two calls. The first thing that there is to do ends a look: after it was stored and seen,
 * the next look goes on from there.
 */
public final class WorkloadReconciler {
  private static final List<Function<WorkloadContext, ReconcileStep>> STEPS =
      List.of(
          Repair::repaired,
          Deactivation::targeted,
          FollowedPriority::followed,
          Requeuing::backoff,
          Requeuing::requeued,
          Deactivation::evicted,
          AdmissionGating::gated,
          ListedChecks::synced,
          PendingReasons::explained,
          ReservationStep::judged,
          ImpossiblePlaces::told,
          NodeFailures::judged,
          Timeouts::over);

  private final LifeSettings settings;

  public WorkloadReconciler(LifeSettings settings) {
    this.settings = settings;
  }

  public ReconcileStep reconcile(Workload workload, WorkloadDependencies dependencies, Instant now) {
    WorkloadContext context = new WorkloadContext(workload, dependencies, settings, now);
    if (Removal.isOrphan(context)) {
      return Removal.orphaned(context);
    }
    if (context.isTrue(ConditionTypes.FINISHED)) {
      return Removal.finished(context);
    }
    if (context.metadata().deletionTimestamp() != null) {
      return ReconcileStep.REST; // whoever made it lets it go
    }
    Optional<Instant> again = Optional.empty();
    for (Function<WorkloadContext, ReconcileStep> part : STEPS) {
      ReconcileStep step = part.apply(context);
      if (!step.isRest()) {
        return step;
      }
      again = earlier(again, step.again());
    }
    return ReconcileStep.at(again);
  }

  /** What a Workload at rest is only told, for which it may wait its turn. */
  public ReconcileStep reportPending(Workload workload, WorkloadDependencies dependencies, Instant now) {
    return PendingReasons.likened(new WorkloadContext(workload, dependencies, settings, now));
  }

  private static Optional<Instant> earlier(Optional<Instant> a, Optional<Instant> b) {
    return a.isPresent() && (b.isEmpty() || a.get().isBefore(b.get())) ? a : b;
  }
}
