package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Keys;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a Workload says.
 *
 * @param tree the whole Workload
 */
public record WorkloadView(JsonNode tree) {
  public static final GroupKind KIND = ApiKind.WORKLOAD.groupKind();
  public static final GroupVersionKind TYPE =
      new GroupVersionKind(ApiVersion.GROUP, ApiVersion.V1BETA2.text(), KIND.kind());
  public static final String FINALIZER = "kueue.x-k8s.io/resource-in-use";
  public static final String WORKLOAD_ANNOTATION = Keys.DOMAIN + "workload";
  public static final String IS_GROUP = "kueue.x-k8s.io/is-group-workload";
  public static final String QUOTA_RESERVED = "QuotaReserved";
  static final String ADMITTED = "Admitted";
  public static final String EVICTED = "Evicted";
  public static final String FINISHED = "Finished";
  static final String PODS_READY = "PodsReady";
  static final String REQUEUED = "Requeued";
  public static final String WAITING_FOR_REPLACEMENT = "WaitingForReplacementPods";

  /** The oldest first; of one age, by uid. */
  public static final Comparator<WorkloadView> BY_AGE =
      Comparator.<WorkloadView, String>comparing(
              it -> it.tree().path("metadata").path("creationTimestamp").asText())
          .thenComparing(it -> it.tree().path("metadata").path("uid").asText());

  public JobObject meta() {
    return JobObject.of(tree);
  }

  public String name() {
    return tree.path("metadata").path("name").asText();
  }

  /** As messages name it. */
  public String fullName() {
    return tree.path("metadata").path("namespace").asText() + "/" + name();
  }

  boolean is(String condition) {
    return Conditions.isTrue(tree, condition);
  }

  public boolean isFinished() {
    return is(FINISHED);
  }

  public boolean isAdmitted() {
    return is(ADMITTED);
  }

  /** Whether all checks that it lists say that it may start; so if it lists none. */
  boolean allChecksReady() {
    return tree.path("status")
        .path("admissionChecks")
        .valueStream()
        .allMatch(check -> check.path("state").asText().equals("Ready"));
  }

  public boolean isEvicted() {
    return is(EVICTED);
  }

  public boolean hasReservation() {
    return is(QUOTA_RESERVED);
  }

  public boolean isActive() {
    return tree.path("spec").path("active").asBoolean(true);
  }

  public boolean isGroup() {
    return meta().annotationText(IS_GROUP).equals("true");
  }

  public String queueName() {
    return tree.path("spec").path("queueName").asText("");
  }

  /** A text of a condition; empty if there is none. */
  public String text(String condition, String member) {
    return Conditions.find(tree, condition).map(it -> it.path(member).asText()).orElse("");
  }

  public boolean hasFinalizer() {
    for (JsonNode finalizer : tree.path("metadata").path("finalizers")) {
      if (finalizer.asText().equals(FINALIZER)) {
        return true;
      }
    }
    return false;
  }

  public List<JsonNode> podSets() {
    return items(tree.path("spec").path("podSets"));
  }

  public List<JsonNode> assignments() {
    return items(tree.path("status").path("admission").path("podSetAssignments"));
  }

  public String clusterQueue() {
    return tree.path("status").path("admission").path("clusterQueue").asText();
  }

  public Optional<JsonNode> assignment(String podSet) {
    return assignments().stream()
        .filter(it -> it.path("name").asText("main").equals(podSet))
        .findFirst();
  }

  public static List<JsonNode> items(JsonNode list) {
    List<JsonNode> items = new ArrayList<>();
    list.forEach(items::add);
    return items;
  }
}
