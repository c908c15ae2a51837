package dev.sluice.jobs.injection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Patches;
import java.util.List;
import java.util.Set;

/** Puts the Pod templates of jobs back to what their Workloads remember. */
public final class Templates {
  private Templates() {}

  /**
   * Makes labels, annotations, node selector, tolerations and scheduling gates exactly those of the
   * original, so that what came with an admission goes with it.
   *
   * @param template changed
   * @param liveLabels labels that the original was made without and that keep their live values
   */
  public static void restore(ObjectNode template, JsonNode original, Set<String> liveLabels) {
    ObjectNode metadata = Patches.child(template, "metadata");
    ObjectNode live =
        metadata.path("labels").deepCopy() instanceof ObjectNode it ? it : Patches.object();
    JsonNode then = original.path("metadata");
    set(metadata, "annotations", then.path("annotations"));
    set(metadata, "labels", then.path("labels"));
    for (String key : liveLabels) {
      if (live.has(key)) {
        Patches.child(metadata, "labels").set(key, live.path(key));
      }
    }
    if (metadata.isEmpty() && !original.has("metadata")) {
      template.remove("metadata");
    }
    ObjectNode spec = Patches.child(template, "spec");
    for (String member : List.of("nodeSelector", "tolerations", "schedulingGates")) {
      set(spec, member, original.path("spec").path(member));
    }
  }

  private static void set(ObjectNode parent, String member, JsonNode value) {
    boolean isNothing = value.isMissingNode() || value.isNull() || value.isEmpty();
    if (isNothing) {
      parent.remove(member);
    } else {
      parent.set(member, value.deepCopy());
    }
  }
}
