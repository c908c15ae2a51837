package dev.sluice.scheduler.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.webhook.rules.jobs.JobObject;
import dev.sluice.webhook.rules.jobs.Keys;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a Workload says.
 *
 * @param tree the whole Workload
 */
record WorkloadFacts(JsonNode tree) {
  static final GroupKind KIND = ApiKind.WORKLOAD.groupKind();
  static final GroupVersionKind TYPE =
      new GroupVersionKind(ApiVersion.GROUP, ApiVersion.V1BETA2.text(), KIND.kind());
  static final String FINALIZER = "kueue.x-k8s.io/resource-in-use";
  static final String WORKLOAD_ANNOTATION = Keys.DOMAIN + "workload";
  static final String IS_GROUP = "kueue.x-k8s.io/is-group-workload";
  static final String QUOTA_RESERVED = "QuotaReserved";
  static final String ADMITTED = "Admitted";
  static final String EVICTED = "Evicted";
  static final String FINISHED = "Finished";
  static final String PODS_READY = "PodsReady";
  static final String REQUEUED = "Requeued";
  static final String WAITING_FOR_REPLACEMENT = "WaitingForReplacementPods";

  /** The oldest first; of one age, by uid. */
  static final Comparator<WorkloadFacts> BY_AGE =
      Comparator.<WorkloadFacts, String>comparing(
              it -> it.tree().path("metadata").path("creationTimestamp").asText())
          .thenComparing(it -> it.tree().path("metadata").path("uid").asText());

  JobObject meta() {
    return JobObject.of(tree);
  }

  String name() {
    return tree.path("metadata").path("name").asText();
  }

  /** As messages name it. */
  String fullName() {
    return tree.path("metadata").path("namespace").asText() + "/" + name();
  }

  boolean is(String condition) {
    return Conditions.isTrue(tree, condition);
  }

  boolean isFinished() {
    return is(FINISHED);
  }

  boolean isAdmitted() {
    return is(ADMITTED);
  }

  /** Whether all checks that it lists say that it may start; so if it lists none. */
  boolean allChecksReady() {
    return tree.path("status")
        .path("admissionChecks")
        .valueStream()
        .allMatch(check -> check.path("state").asText().equals("Ready"));
  }

  boolean isEvicted() {
    return is(EVICTED);
  }

  boolean hasReservation() {
    return is(QUOTA_RESERVED);
  }

  boolean isActive() {
    return tree.path("spec").path("active").asBoolean(true);
  }

  boolean isGroup() {
    return meta().annotationText(IS_GROUP).equals("true");
  }

  String queueName() {
    return tree.path("spec").path("queueName").asText("");
  }

  /** A text of a condition; empty if there is none. */
  String text(String condition, String member) {
    return Conditions.find(tree, condition).map(it -> it.path(member).asText()).orElse("");
  }

  boolean hasFinalizer() {
    for (JsonNode finalizer : tree.path("metadata").path("finalizers")) {
      if (finalizer.asText().equals(FINALIZER)) {
        return true;
      }
    }
    return false;
  }

  List<JsonNode> podSets() {
    return items(tree.path("spec").path("podSets"));
  }

  List<JsonNode> assignments() {
    return items(tree.path("status").path("admission").path("podSetAssignments"));
  }

  String clusterQueue() {
    return tree.path("status").path("admission").path("clusterQueue").asText();
  }

  Optional<JsonNode> assignment(String podSet) {
    return assignments().stream()
        .filter(it -> it.path("name").asText("main").equals(podSet))
        .findFirst();
  }

  static List<JsonNode> items(JsonNode list) {
    List<JsonNode> items = new ArrayList<>();
    list.forEach(items::add);
    return items;
  }
}
