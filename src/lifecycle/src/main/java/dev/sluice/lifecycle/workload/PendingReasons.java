package dev.sluice.lifecycle.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.quota.inventory.Inactivity;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pending reasons of Workloads that the engine does not evaluate because of their queues. The
 * engine writes the reasons of those it evaluates.
 */
final class PendingReasons {
  private static final String MISCONFIGURED = PendingReason.MISCONFIGURED.text();
  private static final String SUSPENDED = PendingReason.SUSPENDED.text();
  private static final String DEACTIVATED = PendingReason.DEACTIVATED.text();
  private static final String EVALUATION = PendingReason.PENDING_EVALUATION.text();

  /** Reasons that are written here only. */
  private static final Set<String> OURS =
      Set.of(DEACTIVATED, StatusDetail.COARSE.notLookedAt(MISCONFIGURED));

  /** Reasons that the engine writes, too, for Workloads that it refuses to evaluate. */
  private static final Set<String> SHARED = Set.of(MISCONFIGURED, SUSPENDED);

  private static final Set<Inactivity.Reason> MISSING =
      EnumSet.of(
          Inactivity.Reason.FLAVOR_NOT_FOUND,
          Inactivity.Reason.ADMISSION_CHECK_NOT_FOUND,
          Inactivity.Reason.TOPOLOGY_NOT_FOUND);

  /** Why a Workload cannot be evaluated. */
  record Obstacle(String reason, String message) {}

  private PendingReasons() {}

  static ReconcileStep explained(WorkloadContext context) {
    Optional<Condition> told = context.condition(QUOTA_RESERVED);
    if (context.reserved() || AdmissionGating.isGated(context) || context.isOnHold()) {
      return ReconcileStep.REST;
    }
    StatusDetail detail = context.settings().detail();
    Obstacle obstacle = obstacle(context);
    if (obstacle == null) {
      boolean isOver =
          told.map(condition -> isOverByNow(context, condition))
              .orElse(detail == StatusDetail.EXPLICIT);
      return isOver
          ? ReconcileStep.status(
              context
                  .edit()
                  .pending(EVALUATION, "Workload is pending evaluation in the scheduling queue"))
          : ReconcileStep.REST; // the engine evaluates it and writes the reason
    }
    String reason = detail.notLookedAt(obstacle.reason());
    boolean known =
        told.filter(c -> c.reason().equals(reason))
            .filter(c -> c.message().equals(obstacle.message()))
            .isPresent();
    return known
        ? ReconcileStep.REST // a change of the queue that is named brings it back here
        : ReconcileStep.status(context.edit().pending(reason, obstacle.message()));
  }

  /** Gives a Workload that was never evaluated the reason of an equal one that waits. */
  static ReconcileStep likened(WorkloadContext context) {
    return context.condition(QUOTA_RESERVED).isPresent()
        ? ReconcileStep.REST
        : context
            .dependencies()
            .verdictOfItsLike(context.workload())
            .map(it -> ReconcileStep.status(context.edit().pending(it.reason(), it.message())))
            .orElse(ReconcileStep.REST); // a change of the Workload brings it back here
  }

  /** Whether the reason has ended without the engine replacing it. */
  private static boolean isOverByNow(WorkloadContext context, Condition told) {
    return OURS.contains(told.reason())
        || (SHARED.contains(told.reason())
            && !context.dependencies().isRefused(context.workload()));
  }

  private static @Nullable Obstacle obstacle(WorkloadContext context) {
    if (!context.active()) {
      return new Obstacle(DEACTIVATED, "The workload is deactivated");
    }
    Obstacle obstacle = localObstacle(context);
    return obstacle == null ? clusterObstacle(context) : obstacle;
  }

  /** The obstacle in its LocalQueue, or null. */
  static @Nullable Obstacle localObstacle(WorkloadContext context) {
    String name = context.queueName();
    Optional<LocalQueue> queue = context.localQueue();
    if (queue.isEmpty()) {
      return new Obstacle(MISCONFIGURED, "LocalQueue " + name + " doesn't exist");
    }
    if (queue.get().metadata().deletionTimestamp() != null) {
      return new Obstacle(MISCONFIGURED, "LocalQueue " + name + " is terminating or missing");
    }
    if (queue.get().spec().stopPolicy() != StopPolicy.NONE) {
      return new Obstacle(SUSPENDED, "LocalQueue " + name + " is inactive");
    }
    return null;
  }

  private static @Nullable Obstacle clusterObstacle(WorkloadContext context) {
    String name = context.clusterQueueName().orElse("");
    Optional<ClusterQueue> queue = context.clusterQueue();
    if (queue.isEmpty()) {
      return gone(context);
    }
    if (isLeaving(queue.get())) {
      return leaving(queue.get());
    }
    List<Inactivity> causes = context.dependencies().inactivity(name);
    return causes.isEmpty() ? null : inactive(context, name, causes);
  }

  /** Its ClusterQueue is not there. */
  static Obstacle gone(WorkloadContext context) {
    String name = context.clusterQueueName().orElse("");
    return new Obstacle(MISCONFIGURED, "ClusterQueue " + name + " doesn't exist");
  }

  private static boolean isLeaving(ClusterQueue queue) {
    return queue.metadata().deletionTimestamp() != null;
  }

  /** It exists as long as Workloads hold quota of it, and admits no more: so it is not missing. */
  private static Obstacle leaving(ClusterQueue queue) {
    return new Obstacle(SUSPENDED, inactive(queue.metadata().name()) + ": it is being deleted");
  }

  private static String inactive(String clusterQueue) {
    return "ClusterQueue " + clusterQueue + " is inactive";
  }

  /** Why a ClusterQueue revokes the quota of Workloads that are not admitted, or null. */
  static @Nullable Obstacle revocation(ClusterQueue queue) {
    if (isLeaving(queue)) {
      return leaving(queue);
    }
    return queue.spec().stopPolicy() == StopPolicy.NONE
        ? null
        : new Obstacle(SUSPENDED, inactive(queue.metadata().name()));
  }

  /**
   * One that waits for what is missing stays misconfigured, and its message names what is missing.
   */
  private static Obstacle inactive(WorkloadContext context, String name, List<Inactivity> causes) {
    List<String> missing =
        causes.stream()
            .filter(cause -> MISSING.contains(cause.reason()))
            .map(Inactivity::message)
            .toList();
    boolean was =
        context.condition(QUOTA_RESERVED).filter(c -> c.reason().equals(MISCONFIGURED)).isPresent();
    String message = inactive(name);
    return missing.isEmpty()
        ? new Obstacle(SUSPENDED, message)
        : new Obstacle(
            was ? MISCONFIGURED : SUSPENDED, message + ": " + String.join(", ", missing));
  }
}
