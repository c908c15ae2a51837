package dev.sluice.jobs.injection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.plan.Patches;
import java.util.List;
import java.util.Set;

/** Restores the Pod templates of jobs from their Workloads. */
public final class Templates {
  private static final String ANNOTATIONS = "annotations";
  private static final List<String> METADATA = List.of(ANNOTATIONS, "labels");
  private static final List<String> SPEC =
      List.of("nodeSelector", "tolerations", "schedulingGates");

  private Templates() {}

  /**
   * Restores labels, annotations, node selector, tolerations and scheduling gates of the original,
   * so that the changes of an admission are removed.
   *
   * @param template changed
   * @param liveLabels labels that the original was made without and that keep their live values
   */
  public static void restore(ObjectNode template, JsonNode original, Set<String> liveLabels) {
    ObjectNode metadata = Patches.child(template, "metadata");
    ObjectNode live =
        metadata.path("labels").deepCopy() instanceof ObjectNode it ? it : Patches.object();
    JsonNode then = withoutSlice(original.path("metadata"));
    METADATA.forEach(member -> set(metadata, member, then.path(member)));
    for (String key : liveLabels) {
      if (live.has(key)) {
        Patches.child(metadata, "labels").set(key, live.path(key));
      }
    }
    if (metadata.isEmpty() && !then.isObject()) {
      template.remove("metadata"); // the injection added it
    }
    ObjectNode spec = Patches.child(template, "spec");
    SPEC.forEach(member -> set(spec, member, original.path("spec").path(member)));
  }

  /**
   * The template of a later slice contains the changes of the admission, as the job's template does
   * while the job runs.
   */
  private static JsonNode withoutSlice(JsonNode metadata) {
    if (!metadata.path(ANNOTATIONS).has(Annotations.WORKLOAD_SLICE_NAME)) {
      return metadata;
    }
    ObjectNode without = Patches.object();
    metadata.properties().forEach(it -> without.set(it.getKey(), it.getValue().deepCopy()));
    ObjectNode annotations = Patches.child(without, ANNOTATIONS);
    annotations.remove(Annotations.WORKLOAD_SLICE_NAME);
    if (annotations.isEmpty()) {
      without.remove(ANNOTATIONS);
    }
    return without;
  }

  /**
   * Restores a member. An empty member stays absent if it is absent now: the API server drops empty
   * members of its own kinds, so that the same change would be planned again and again.
   */
  public static void set(ObjectNode parent, String member, JsonNode value) {
    boolean wasNothing = value.isMissingNode() || value.isNull();
    if (wasNothing) {
      parent.remove(member);
    } else if (!value.isEmpty() || parent.has(member)) {
      parent.set(member, value.deepCopy());
    }
  }
}
