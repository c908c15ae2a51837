package dev.sluice.server.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import java.time.Instant;
import java.util.List;

/** The statuses that others than Sluice write: jobs that end, checks that answer, lost nodes. */
final class SimulatedStatus {
  private SimulatedStatus() {}

  static WorkloadStatus finished(Workload workload, StatusDetail detail, Instant now) {
    return new StatusEditor(workload, detail, now)
        .finish(Reasons.SUCCEEDED, "Job finished successfully")
        .build();
  }

  /**
   * The status after a check has answered.
   *
   * @throws IllegalArgumentException if the workload does not list the check
   */
  static WorkloadStatus answered(
      Workload workload, String check, CheckState state, StatusDetail detail, Instant now) {
    List<AdmissionCheckState> checks = workload.status().admissionChecks();
    if (checks.stream().noneMatch(c -> c.name().equals(check))) {
      throw new IllegalArgumentException(
          ObjectKey.of(workload.metadata())
              + ": does not list the check "
              + check
              + " (expected: a check of its queue)");
    }
    List<AdmissionCheckState> answered =
        checks.stream().map(c -> c.name().equals(check) ? answered(c, state, now) : c).toList();
    return new StatusEditor(workload, detail, now).checks(answered).build();
  }

  private static AdmissionCheckState answered(
      AdmissionCheckState check, CheckState state, Instant now) {
    return new AdmissionCheckState(
        check.name(), state, now, "", null, check.retryCount(), check.podSetUpdates());
  }

  /** A copy of a node whose only condition says that it is not ready. */
  static ObjectNode notReady(JsonNode node, Instant now) {
    ObjectNode failed = node.deepCopy();
    ObjectNode condition = failed.withObjectProperty("status").putArray("conditions").addObject();
    condition.put("type", "Ready").put("status", "False");
    condition.put("lastTransitionTime", now.toString());
    return failed;
  }
}
