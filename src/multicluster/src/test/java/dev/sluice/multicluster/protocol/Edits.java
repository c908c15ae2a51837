package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.write.InMemoryObjects;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.List;

/** Edits of objects as the controllers of a cluster make them. */
final class Edits {
  private Edits() {}

  /** Stores what is changed of a Job or a Workload, its status by a write of its own. */
  static void edit(InMemoryObjects objects, JsonNode object, ObjectNode changed, Instant now) {
    boolean isJob = object.path("kind").asText().equals("Job");
    GroupVersionKind kind = isJob ? Scene.JOB : WorkloadView.TYPE;
    ObjectNode patch = MergePatch.between(object, changed);
    ObjectNode status = patch.objectNode();
    if (patch.has("status")) {
      status.set("status", patch.remove("status"));
    }
    for (String sub : List.of("", "status")) {
      ObjectNode body = sub.isEmpty() ? patch : status;
      if (!body.isEmpty()) {
        JsonNode present =
            objects
                .find(kind.groupKind(), "ns", object.at("/metadata/name").asText())
                .orElse(object);
        objects.send(
            new Write.MergePatch(ObjectRef.of(kind, present), sub, body, "test", null), now);
      }
    }
  }

  static boolean is(JsonNode object, String condition) {
    return Conditions.isTrue(object, condition);
  }

  static void suspend(InMemoryObjects objects, JsonNode job, boolean value, Instant now) {
    ObjectNode changed = job.deepCopy();
    changed.withObjectProperty("spec").put("suspend", value);
    edit(objects, job, changed, now);
  }
}
