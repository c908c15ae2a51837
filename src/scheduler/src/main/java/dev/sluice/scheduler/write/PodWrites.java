package dev.sluice.scheduler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What is written of pods that cannot end by themselves. */
public final class PodWrites {
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final String MANAGER = "kueue";

  private PodWrites() {}

  /** That pod, as a write names it. */
  public static ObjectRef ref(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    return new ObjectRef(
        POD,
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText());
  }

  /**
   * Says that it failed, and in a condition why, unless it changed meanwhile: a pod that has
   * started, and ends well, must not count as failed.
   *
   * @param type that of the condition, which becomes True
   */
  public static Write failed(
      JsonNode pod, String type, String reason, String message, Instant now) {
    ObjectRef ref = ref(pod);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", POD.apiVersion()).put("kind", POD.kind());
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("namespace", ref.namespace()).put("name", ref.name()).put("uid", ref.uid());
    metadata.put("resourceVersion", pod.at("/metadata/resourceVersion").asText());
    ObjectNode status = body.putObject("status").put("phase", "Failed");
    status
        .putArray("conditions")
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
    return new Write.Apply(ref, "status", body, MANAGER, true);
  }
}
