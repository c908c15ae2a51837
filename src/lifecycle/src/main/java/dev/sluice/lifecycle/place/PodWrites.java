package dev.sluice.lifecycle.place;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What is written of pods that cannot end by themselves. */
public final class PodWrites {
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final String MANAGER = "kueue";

  private PodWrites() {}

  /** That pod, as a write names it. */
  public static ObjectRef ref(JsonNode pod) {
    return ObjectRef.of(POD, pod);
  }

  /**
   * Sets its phase to Failed, and a condition with the reason, unless it has changed: a pod that
   * has started and succeeds must not count as failed.
   *
   * @param type that of the condition, which becomes True
   */
  public static Write failed(
      JsonNode pod, String type, String reason, String message, Instant now) {
    ObjectNode status = JsonNodeFactory.instance.objectNode().put("phase", "Failed");
    status
        .putArray("conditions")
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
    String version = pod.at("/metadata/resourceVersion").asText();
    return Write.Apply.ofStatus(ref(pod), version, status, MANAGER);
  }
}
