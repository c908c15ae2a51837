package dev.sluice.lifecycle.workload;

import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

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
          unless(WorkloadContext::isSplit, ListedChecks::synced),
          PendingReasons::explained,
          Holding::judged,
          ImpossiblePlaces::told,
          unless(WorkloadContext::isVariant, NodeFailures::judged),
          unless(WorkloadContext::isVariant, Timeouts::over));

  private final LifeSettings settings;

  public WorkloadReconciler(LifeSettings settings) {
    this.settings = settings;
  }

  /** Of what is split into variants the variants have the checks, and it has the pods. */
  private static Function<WorkloadContext, ReconcileStep> unless(
      Predicate<WorkloadContext> exempt, Function<WorkloadContext, ReconcileStep> step) {
    return context -> exempt.test(context) ? ReconcileStep.REST : step.apply(context);
  }

  public ReconcileStep look(Workload workload, Surroundings around, Instant now) {
    WorkloadContext context = new WorkloadContext(workload, around, settings, now);
    if (Ending.isOrphan(context)) {
      return Ending.orphaned(context);
    }
    if (context.isTrue(ConditionTypes.FINISHED)) {
      return Ending.finished(context);
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
  public ReconcileStep tell(Workload workload, Surroundings around, Instant now) {
    return PendingReasons.likened(new WorkloadContext(workload, around, settings, now));
  }

  private static Optional<Instant> earlier(Optional<Instant> a, Optional<Instant> b) {
    return a.isPresent() && (b.isEmpty() || a.get().isBefore(b.get())) ? a : b;
  }
}
