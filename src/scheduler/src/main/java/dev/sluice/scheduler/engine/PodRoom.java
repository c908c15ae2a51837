package dev.sluice.scheduler.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import java.util.Optional;
import java.util.Set;

/**
 * Which changes of a Pod may change what it takes of a node. The engine reads nothing else of Pods,
 * and each change that it is told leads to another snapshot and another pass over the queues.
 */
final class PodRoom {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  private PodRoom() {}

  /** Whether the engine has to be told. */
  static boolean isNews(ObjectChange change) {
    boolean wasOnNode = change.before().filter(PodRoom::takes).isPresent();
    boolean isOnNode = change.after().filter(PodRoom::takes).isPresent();
    return wasOnNode != isOnNode || (wasOnNode && !isSame(change.before(), change.after()));
  }

  private static boolean takes(JsonNode pod) {
    return !pod.path("spec").path("nodeName").asText("").isEmpty()
        && !ENDED.contains(pod.path("status").path("phase").asText());
  }

  /** Annotations say whether topology-aware scheduling placed it. */
  private static boolean isSame(Optional<JsonNode> before, Optional<JsonNode> after) {
    JsonNode one = before.orElseThrow();
    JsonNode other = after.orElseThrow();
    return one.path("spec").equals(other.path("spec"))
        && one.path("metadata")
            .path("annotations")
            .equals(other.path("metadata").path("annotations"));
  }
}
