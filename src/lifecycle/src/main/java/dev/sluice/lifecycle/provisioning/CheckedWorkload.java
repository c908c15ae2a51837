package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;

/**
 * A Workload with admission checks.
 *
 * @param typed the parsed Workload
 * @param tree the whole object
 */
public record CheckedWorkload(Workload typed, JsonNode tree) {
  String namespace() {
    return typed.metadata().namespace();
  }

  String name() {
    return typed.metadata().name();
  }

  String uid() {
    return typed.metadata().uid();
  }

  boolean isFinished() {
    return typed.status().isTrue(ConditionTypes.FINISHED);
  }

  boolean isAdmitted() {
    return typed.status().isTrue(ConditionTypes.ADMITTED);
  }

  /**
   * Whether it has quota to keep, so that it may want nodes.
   *
   * @param isSplit whether Workloads with the label of a parent have variants, which do so for them
   */
  boolean mayWantNodes(boolean isSplit) {
    boolean isParent = typed.metadata().labels().containsKey(Labels.CONCURRENT_ADMISSION_PARENT);
    return QuotaHold.isHeldBy(typed)
        && !(isSplit && isParent)
        && !typed.status().isTrue(ConditionTypes.EVICTED)
        && typed.metadata().deletionTimestamp() == null;
  }
}
