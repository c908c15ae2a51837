package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;

/** The sets that own the Workload of a group, and Workloads that have outlived theirs. */
final class LeftBehind {
  private LeftBehind() {}

  /** The owners that are no Pods. */
  static List<JsonNode> sets(WorkloadView workload) {
    return WorkloadView.items(workload.tree().path("metadata").path("ownerReferences")).stream()
        .filter(it -> !isPod(it))
        .toList();
  }

  static boolean isPod(JsonNode owner) {
    return owner.path("kind").asText().equals(Pods.KIND.kind())
        && owner.path("apiVersion").asText().equals(Pods.KIND.apiVersion());
  }

  /**
   * Whether the set of this admitted Workload is gone: its Pods end and are not replaced, and the
   * Workload goes after them. Until then there is nothing to say about it.
   */
  static boolean is(WorkloadView workload, JobWorld world) {
    List<JsonNode> sets = sets(workload);
    String namespace = workload.tree().path("metadata").path("namespace").asText();
    return workload.isAdmitted()
        && !workload.isEvicted()
        && !sets.isEmpty()
        && sets.stream().allMatch(it -> isGone(it, namespace, world));
  }

  private static boolean isGone(JsonNode owner, String namespace, JobWorld world) {
    GroupKind kind =
        GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText())
            .groupKind();
    return world.knows(kind)
        && world
            .find(kind, namespace, owner.path("name").asText())
            .filter(it -> JobObject.of(it).uid().equals(owner.path("uid").asText()))
            .filter(it -> !JobObject.of(it).isBeingDeleted())
            .isEmpty();
  }
}
