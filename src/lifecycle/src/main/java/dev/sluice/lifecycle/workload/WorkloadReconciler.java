package dev.sluice.lifecycle.workload;

import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.StatusTransition;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Plans the next step of a Workload beside the engine's decisions. Pure and stateless. The first
 * necessary step ends a call: once it is stored and observed, the next call continues from there.
 */
public final class WorkloadReconciler {
  private static final List<Function<WorkloadContext, ReconcileStep>> STEPS =
      List.of(
          Repair::repaired,
          Deactivation::targeted,
          unless(WorkloadContext::isVariant, FollowedPriority::followed),
          Requeuing::backoff,
          Requeuing::requeued,
          Deactivation::evicted,
          AdmissionGating::gated,
          unless(WorkloadContext::isSplit, ListedChecks::synced),
          PendingReasons::explained,
          ReservationStep::judged,
          EvictedCopies::returned,
          ImpossiblePlaces::told,
          unless(WorkloadContext::isVariant, NodeFailures::judged),
          unless(WorkloadContext::isVariant, Timeouts::over));

  private static final Set<StatusTransition> ENDS =
      Set.of(StatusTransition.EVICT, StatusTransition.FINISH);

  /** Checks are listed, and one sentence says what it waits for. */
  private static final int MOST_FOLLOWING = 3;

  private final LifeSettings settings;

  public WorkloadReconciler(LifeSettings settings) {
    this.settings = settings;
  }

  /**
   * Leaves a step out: variants have the priority and the checks of a split Workload, and it has
   * their pods.
   */
  private static Function<WorkloadContext, ReconcileStep> unless(
      Predicate<WorkloadContext> exempt, Function<WorkloadContext, ReconcileStep> step) {
    return context -> exempt.test(context) ? ReconcileStep.REST : step.apply(context);
  }

  /**
   * The next step.
   *
   * @param leadsSince when this scheduler began to look after Workloads
   */
  public ReconcileStep reconcile(
      Workload workload, WorkloadDependencies dependencies, Instant leadsSince, Instant now) {
    WorkloadContext context =
        new WorkloadContext(workload, dependencies, settings, leadsSince, now);
    if (Removal.isOrphan(context)) {
      return Removal.orphaned(context);
    }
    if (Removal.isLeftOver(context)) {
      return Removal.leftOver(context);
    }
    if (context.isTrue(ConditionTypes.FINISHED)) {
      return Removal.finished(context);
    }
    if (context.metadata().deletionTimestamp() != null) {
      return ReconcileStep.REST; // its creator removes the finalizer
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

  /**
   * What a reservation leads to at once, as one step that one write can store: its checks are
   * listed, and it says what it waits for, or is admitted. A step that ends the reservation, or
   * begins to, is left to the next call.
   *
   * @param reserved the Workload as it is once its reservation is stored
   * @return the status to store, empty if nothing follows, and the events to send after it
   */
  public ReconcileStep following(
      Workload reserved, WorkloadDependencies dependencies, Instant leadsSince, Instant now) {
    Workload latest = reserved;
    List<Write.Event> events = new ArrayList<>();
    for (int i = 0; i < MOST_FOLLOWING && !latest.status().isTrue(ConditionTypes.ADMITTED); i++) {
      ReconcileStep step = reconcile(latest, dependencies, leadsSince, now);
      if (step.status().isEmpty()
          || !step.writes().isEmpty()
          || !keepsReservation(latest.status(), step.status().get())) {
        break;
      }
      latest = latest.with(step.status().get());
      events.addAll(step.events());
    }
    return latest.status().equals(reserved.status())
        ? ReconcileStep.REST
        : new ReconcileStep(Optional.of(latest.status()), List.of(), events, Optional.empty());
  }

  private static boolean keepsReservation(WorkloadStatus before, WorkloadStatus after) {
    return after.isTrue(ConditionTypes.QUOTA_RESERVED)
        && !after.isTrue(ConditionTypes.DEACTIVATION_TARGET)
        && Objects.equals(before.admission(), after.admission())
        && StatusTransition.between(before, after).stream().noneMatch(ENDS::contains);
  }

  /**
   * The pending reason of a Workload without other steps, copied from an equal Workload; it may be
   * written later.
   */
  public ReconcileStep reportPending(
      Workload workload, WorkloadDependencies dependencies, Instant now) {
    return PendingReasons.likened(new WorkloadContext(workload, dependencies, settings, now, now));
  }

  private static Optional<Instant> earlier(Optional<Instant> a, Optional<Instant> b) {
    return a.isPresent() && (b.isEmpty() || a.get().isBefore(b.get())) ? a : b;
  }
}
