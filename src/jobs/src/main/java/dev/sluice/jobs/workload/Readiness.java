package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.jobs.plan.Writes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Whether the Pods of a Workload are up, as its condition says. */
public final class Readiness {
  private static final String MANAGER = "kueue-job-controller-PodsReady";
  private static final Duration FIRST_NOTE = Duration.ofSeconds(2);

  private record Target(boolean status, String reason, String message) {}

  private static final Target NOT_STARTED =
      new Target(false, Reasons.WAIT_FOR_START, "Not all pods are ready or succeeded");

  private Readiness() {}

  /**
   * When to write it first: most Workloads are not ready at first, and many become ready so soon
   * after they were created, or admitted, that the earlier state would not be read.
   *
   * @return empty for at once
   */
  public static Optional<Instant> firstNote(WorkloadView workload, boolean isReady) {
    if (isReady || Conditions.find(workload.tree(), ConditionTypes.PODS_READY).isPresent()) {
      return Optional.empty();
    }
    String since =
        workload.isAdmitted()
            ? workload.text(ConditionTypes.ADMITTED, "lastTransitionTime")
            : workload.tree().path("metadata").path("creationTimestamp").asText("");
    return since.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(since).plus(FIRST_NOTE));
  }

  /**
   * Writes it if it has changed.
   *
   * @param isReady whether the Workload is admitted and its Pods are up
   * @return whether something was written
   */
  public static boolean note(WorkloadView workload, boolean isReady, Instant now, Writes writes) {
    Target target = target(workload, isReady);
    Optional<JsonNode> is = Conditions.find(workload.tree(), ConditionTypes.PODS_READY);
    boolean isSame =
        is.filter(
                it ->
                    it.path("status").asText().equals(target.status() ? "True" : "False")
                        && it.path("reason").asText().equals(target.reason()))
            .isPresent();
    if (isSame) {
      return false;
    }
    WorkloadEdit edit = WorkloadEdit.of(workload, now);
    set(target, edit.status());
    edit.addTo(writes, MANAGER);
    return true;
  }

  private static void set(Target target, StatusEditor status) {
    status.set(ConditionTypes.PODS_READY, target.status(), target.reason(), target.message());
  }

  /**
   * Says that no Pods have started, if the condition is there: the Workload loses its quota and may
   * be admitted again before its job is planned.
   */
  static void begin(WorkloadView workload, StatusEditor status) {
    if (Conditions.find(workload.tree(), ConditionTypes.PODS_READY).isPresent()) {
      set(NOT_STARTED, status);
    }
  }

  private static Target target(WorkloadView workload, boolean isReady) {
    String before = workload.text(ConditionTypes.PODS_READY, "reason");
    if (isReady) {
      boolean isBack = before.equals(Reasons.WAIT_FOR_RECOVERY) || before.equals(Reasons.RECOVERED);
      return new Target(
          true,
          isBack ? Reasons.RECOVERED : Reasons.STARTED,
          "All pods reached readiness and the workload is running");
    }
    boolean wasReady =
        workload.is(ConditionTypes.PODS_READY) || before.equals(Reasons.WAIT_FOR_RECOVERY);
    return workload.isAdmitted() && wasReady
        ? new Target(
            false, Reasons.WAIT_FOR_RECOVERY, "At least one pod has failed, waiting for recovery")
        : NOT_STARTED;
  }
}
