package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Calls objects as {@code kubectl create} and the API server would: those that name no namespace
 * are in {@code default}, and those that say how their name begins are numbered, so that the same
 * manifests have the same names. Used for one set of manifests.
 */
final class Names {
  private static final String DEFAULT = "default";

  /** Kinds of others that live in no namespace, among those that are looked up. */
  private static final Set<String> CLUSTER_SCOPED =
      Set.of(
          "Namespace",
          "Node",
          "PriorityClass",
          "RuntimeClass",
          "DeviceClass",
          "ResourceSlice",
          "ClusterTrainingRuntime");

  private final Map<String, Integer> made = new HashMap<>();

  /** The object with a name; itself if it has all it needs. */
  JsonNode complete(JsonNode object) {
    if (!(object.path("metadata") instanceof ObjectNode given)) {
      return object;
    }
    boolean homeless =
        isNamespaced(object.path("kind").asText()) && given.path("namespace").asText().isEmpty();
    String start = given.path("generateName").asText();
    boolean nameless = given.path("name").asText().isEmpty() && !start.isEmpty();
    if (!homeless && !nameless) {
      return object;
    }
    ObjectNode complete = object.deepCopy();
    ObjectNode metadata = complete.withObjectProperty("metadata");
    if (homeless) {
      metadata.put("namespace", DEFAULT);
    }
    if (nameless) {
      metadata.put("name", start + made.merge(start, 1, Integer::sum));
    }
    return complete;
  }

  private static boolean isNamespaced(String kind) {
    return ApiKind.find(kind)
        .map(ApiKind::namespaced)
        .orElseGet(() -> !CLUSTER_SCOPED.contains(kind));
  }

  /** Whether it has a name. */
  static boolean has(JsonNode object) {
    return !object.at("/metadata/name").asText().isEmpty();
  }

  /** Whether it has a name, or {@link #complete} gives it one. */
  static boolean canHave(JsonNode object) {
    return has(object) || !object.at("/metadata/generateName").asText().isEmpty();
  }
}
