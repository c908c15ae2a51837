package dev.sluice.scheduler.workload;

import static dev.sluice.quota.world.ConditionType.ADMITTED;
import static dev.sluice.quota.world.ConditionType.EVICTED;
import static dev.sluice.quota.world.ConditionType.QUOTA_RESERVED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.api.write.Write;
import dev.sluice.quota.world.QueueRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What becomes of a Workload that has quota: its checks answer, its queues are stopped. */
final class Holding {
  private Holding() {}

  static Step judged(Subject subject) {
    if (!subject.active()) {
      return Step.REST; // taken out already
    }
    List<AdmissionCheckState> rejected = in(subject, CheckState.REJECTED);
    if (!rejected.isEmpty()) {
      return rejected(subject, rejected);
    }
    if (!subject.reserved() || subject.isTrue(EVICTED)) {
      return Step.REST; // the quota goes when the pods are gone
    }
    List<AdmissionCheckState> retries = in(subject, CheckState.RETRY);
    if (!retries.isEmpty()) {
      String why = "Evicted due to " + named(retries, "Retry");
      return evicted(subject, "AdmissionCheck", why);
    }
    if (subject.isTrue(ADMITTED)) {
      return drained(subject);
    }
    Step revoked = revoked(subject);
    return revoked.isRest() ? admission(subject) : revoked;
  }

  /**
   * One that does not run yet gives its quota back at once if a queue of it stops or goes. A
   * ClusterQueue that is not there is not known yet: while anybody has quota of it, it stays.
   */
  private static Step revoked(Subject subject) {
    return Optional.ofNullable(PendingReasons.localObstacle(subject))
        .or(() -> subject.clusterQueue().map(PendingReasons::revocation))
        .map(o -> Step.status(subject.edit().unreserved(o.reason(), o.message())))
        .orElse(Step.REST); // a change of the queue brings it back here
  }

  private static List<AdmissionCheckState> in(Subject subject, CheckState state) {
    return subject.workload().status().admissionChecks().stream()
        .filter(check -> check.state() == state)
        .toList();
  }

  private static String named(List<AdmissionCheckState> checks, String state) {
    return "AdmissionCheck%s in %s state: %s"
        .formatted(
            checks.size() == 1 ? "" : "s",
            state,
            checks.stream()
                .map(check -> "\"%s\" (%s)".formatted(check.name(), check.message()))
                .collect(Collectors.joining("; ")));
  }

  private static Step rejected(Subject subject, List<AdmissionCheckState> checks) {
    String message = named(checks, "Rejected");
    return Step.status(
        Deactivation.target(subject, "AdmissionCheck", message),
        subject.event("Warning", "AdmissionCheckRejected", "Deactivated due to " + message));
  }

  static Step evicted(Subject subject, String reason, String message) {
    return Step.status(
        subject.edit().evict(reason, reason, "", message),
        subject.event("Normal", "EvictedDueTo" + reason, message));
  }

  /** Admitted follows from the checks; the engine has done it already where there are none. */
  private static Step admission(Subject subject) {
    Optional<ClusterQueue> queue = subject.clusterQueue();
    if (queue.isEmpty()) {
      return Step.REST; // it comes, or the quota goes
    }
    List<AdmissionCheckState> listed = subject.workload().status().admissionChecks();
    boolean all =
        listed.stream()
            .map(AdmissionCheckState::name)
            .collect(Collectors.toSet())
            .containsAll(ListedChecks.wanted(subject, new QueueRules(queue.get())));
    boolean ready = all && listed.stream().allMatch(c -> c.state() == CheckState.READY);
    if (!ready) {
      String reason = subject.settings().telling().unsatisfied();
      return saying(subject, reason, "The workload has not all checks ready");
    }
    if (placementIsPending(subject)) {
      return saying(
          subject, "PendingDelayedTopologyRequests", "There are pending delayed topology requests");
    }
    return Step.status(
        subject.edit().set(ADMITTED, true, ADMITTED, "The workload is admitted"),
        admittedEvent(subject));
  }

  private static Write.Event admittedEvent(Subject subject) {
    long waited =
        subject
            .condition(QUOTA_RESERVED)
            .map(c -> Duration.between(c.lastTransitionTime(), subject.now()).toSeconds())
            .orElse(0L);
    return subject.event(
        "Normal",
        ADMITTED,
        "Admitted by ClusterQueue %s, wait time since reservation was %ds"
            .formatted(subject.clusterQueueName().orElse(""), waited));
  }

  private static Step saying(Subject subject, String reason, String message) {
    Optional<Condition> told = subject.condition(ADMITTED);
    boolean known = told.filter(c -> c.reason().equals(reason)).isPresent();
    return known || !subject.settings().telling().tellsAnew()
        ? Step.REST // an answer of a check brings it back here
        : Step.status(subject.edit().notAdmitted(reason, message));
  }

  private static boolean placementIsPending(Subject subject) {
    Admission admission = subject.workload().status().admission();
    return admission != null
        && admission.podSetAssignments().stream()
            .anyMatch(
                a ->
                    a.delayedTopologyRequest() == DelayedTopologyRequestState.PENDING
                        && a.topologyAssignment() == null);
  }

  private static Step drained(Subject subject) {
    boolean own =
        subject
            .localQueue()
            .filter(q -> q.spec().stopPolicy() == StopPolicy.HOLD_AND_DRAIN)
            .isPresent();
    if (own) {
      return evicted(subject, "LocalQueueStopped", "The LocalQueue is stopped");
    }
    boolean whole =
        subject
            .clusterQueue()
            .filter(q -> q.spec().stopPolicy() == StopPolicy.HOLD_AND_DRAIN)
            .isPresent();
    return whole
        ? evicted(subject, "ClusterQueueStopped", "The ClusterQueue is stopped")
        : Step.REST;
  }
}
