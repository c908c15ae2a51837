package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.jobs.object.JobObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads the fields of a Workload.
 *
 * @param tree the whole Workload
 */
public record WorkloadView(JsonNode tree) {
  public static final GroupKind KIND = ApiKind.WORKLOAD.groupKind();
  public static final GroupVersionKind TYPE =
      new GroupVersionKind(ApiVersion.GROUP, ApiVersion.V1BETA2.text(), KIND.kind());

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
    return is(ConditionTypes.FINISHED);
  }

  public boolean isAdmitted() {
    return is(ConditionTypes.ADMITTED);
  }

  public boolean isEvicted() {
    return is(ConditionTypes.EVICTED);
  }

  public boolean hasReservation() {
    return is(ConditionTypes.QUOTA_RESERVED);
  }

  public boolean isActive() {
    return tree.path("spec").path("active").asBoolean(true);
  }

  public boolean isGroup() {
    return meta().annotationText(Annotations.IS_GROUP_WORKLOAD).equals("true");
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
      if (finalizer.asText().equals(Finalizers.RESOURCE_IN_USE)) {
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
