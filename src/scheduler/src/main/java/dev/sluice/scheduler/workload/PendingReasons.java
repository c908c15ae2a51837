package dev.sluice.scheduler.workload;

import static dev.sluice.quota.world.ConditionType.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.quota.condition.StatusDetail;
import dev.sluice.quota.inventory.Inactivity;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a Workload is not even looked at by the engine: its queues. What the engine says of those it
 * looks at is left alone.
 */
final class PendingReasons {
  private static final String MISCONFIGURED = "Misconfigured";
  private static final String SUSPENDED = "Suspended";
  private static final String DEACTIVATED = "Deactivated";
  private static final String EVALUATION = "PendingEvaluation";
  private static final Set<String> OURS =
      Set.of(MISCONFIGURED, SUSPENDED, DEACTIVATED, StatusDetail.COARSE.notLookedAt(MISCONFIGURED));
  private static final Pattern OF_QUEUES =
      Pattern.compile(
          "(LocalQueue|ClusterQueue) \\S+"
              + " (doesn't exist|is terminating or missing|is stopped|is inactive.*)",
          Pattern.DOTALL);
  private static final Set<Inactivity.Reason> MISSING =
      EnumSet.of(
          Inactivity.Reason.FLAVOR_NOT_FOUND,
          Inactivity.Reason.ADMISSION_CHECK_NOT_FOUND,
          Inactivity.Reason.TOPOLOGY_NOT_FOUND);

  /** What is in the way of a Workload. */
  record Obstacle(String reason, String message) {}

  private PendingReasons() {}

  static Step explained(Subject subject) {
    Optional<Condition> told = subject.condition(QUOTA_RESERVED);
    if (subject.reserved() || AdmissionGating.isGated(subject) || subject.isOnHold()) {
      return Step.REST;
    }
    StatusDetail telling = subject.settings().telling();
    Obstacle obstacle = obstacle(subject);
    if (obstacle == null) {
      boolean isOver =
          told.map(PendingReasons::isOverByNow).orElse(telling == StatusDetail.EXPLICIT);
      return isOver
          ? Step.status(
              subject
                  .edit()
                  .pending(EVALUATION, "Workload is pending evaluation in the scheduling queue"))
          : Step.REST; // the engine looks at it and says why
    }
    String reason = telling.notLookedAt(obstacle.reason());
    boolean known =
        told.filter(c -> c.reason().equals(reason))
            .filter(c -> c.message().equals(obstacle.message()))
            .isPresent();
    return known
        ? Step.REST // a change of the queue that is named brings it back here
        : Step.status(subject.edit().pending(reason, obstacle.message()));
  }

  /** One that was never looked at, since one like it waits, hears what that one was told. */
  static Step likened(Subject subject) {
    return subject.condition(QUOTA_RESERVED).isPresent()
        ? Step.REST
        : subject
            .around()
            .verdictOfItsLike(subject.workload())
            .map(it -> Step.status(subject.edit().pending(it.reason(), it.message())))
            .orElse(Step.REST); // a change of the Workload brings it back here
  }

  /** Only the reasons given here; what the scheduler refused for is its own to take back. */
  private static boolean isOverByNow(Condition told) {
    return OURS.contains(told.reason())
        && (told.reason().equals(DEACTIVATED) || OF_QUEUES.matcher(told.message()).matches());
  }

  private static @Nullable Obstacle obstacle(Subject subject) {
    if (!subject.active()) {
      return new Obstacle(DEACTIVATED, "The workload is deactivated");
    }
    Obstacle obstacle = localObstacle(subject);
    return obstacle == null ? clusterObstacle(subject) : obstacle;
  }

  /** What its LocalQueue is in the way with, or null. */
  static @Nullable Obstacle localObstacle(Subject subject) {
    String name = subject.queueName();
    Optional<LocalQueue> queue = subject.localQueue();
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

  private static @Nullable Obstacle clusterObstacle(Subject subject) {
    String name = subject.clusterQueueName().orElse("");
    Optional<ClusterQueue> queue = subject.clusterQueue();
    if (queue.isEmpty()) {
      return new Obstacle(MISCONFIGURED, "ClusterQueue " + name + " doesn't exist");
    }
    if (isLeaving(queue.get())) {
      return leaving(queue.get());
    }
    List<Inactivity> causes = subject.around().inactivity(name);
    return causes.isEmpty() ? null : inactive(subject, name, causes);
  }

  private static boolean isLeaving(ClusterQueue queue) {
    return queue.metadata().deletionTimestamp() != null;
  }

  /** It is there as long as others have quota of it, and admits nobody: so it is not missing. */
  private static Obstacle leaving(ClusterQueue queue) {
    return new Obstacle(SUSPENDED, inactive(queue.metadata().name()) + ": it is being deleted");
  }

  private static String inactive(String clusterQueue) {
    return "ClusterQueue " + clusterQueue + " is inactive";
  }

  /** What a ClusterQueue does to those who have quota of it and do not run, or null. */
  static @Nullable Obstacle revocation(ClusterQueue queue) {
    if (isLeaving(queue)) {
      return leaving(queue);
    }
    return queue.spec().stopPolicy() == StopPolicy.NONE
        ? null
        : new Obstacle(SUSPENDED, inactive(queue.metadata().name()));
  }

  /** One that waits for what is missing goes on being misconfigured, and hears what is missing. */
  private static Obstacle inactive(Subject subject, String name, List<Inactivity> causes) {
    List<String> missing =
        causes.stream()
            .filter(cause -> MISSING.contains(cause.reason()))
            .map(Inactivity::message)
            .toList();
    boolean was =
        subject.condition(QUOTA_RESERVED).filter(c -> c.reason().equals(MISCONFIGURED)).isPresent();
    String message = inactive(name);
    return missing.isEmpty()
        ? new Obstacle(SUSPENDED, message)
        : new Obstacle(
            was ? MISCONFIGURED : SUSPENDED, message + ": " + String.join(", ", missing));
  }
}
