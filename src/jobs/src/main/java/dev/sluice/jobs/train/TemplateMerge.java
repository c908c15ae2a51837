package dev.sluice.jobs.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Patches;
import java.util.Map;
import java.util.Optional;

/**
 * Merges patches into Job templates as the trainer does: by the strategic merge of Kubernetes, for
 * the members that a patch of a runtime may have.
 */
final class TemplateMerge {
  /** Lists that are merged item by item, and the member that identifies an item. */
  private static final Map<String, String> KEYS =
      Map.of(
          "containers", "name",
          "initContainers", "name",
          "env", "name",
          "volumes", "name",
          "volumeMounts", "mountPath",
          "imagePullSecrets", "name",
          "schedulingGates", "name");

  private TemplateMerge() {}

  /**
   * Merges a patch; lists without a key are replaced.
   *
   * @param target changed
   */
  static void merge(ObjectNode target, JsonNode patch) {
    for (Map.Entry<String, JsonNode> member : patch.properties()) {
      String name = member.getKey();
      JsonNode value = member.getValue();
      String key = KEYS.getOrDefault(name, "");
      if (value.isNull()) {
        target.remove(name);
      } else if (value.isObject()) {
        merge(Patches.child(target, name), value);
      } else if (value.isArray() && !key.isEmpty()) {
        mergeItems(Patches.list(target, name), value, key);
      } else {
        target.set(name, value.deepCopy());
      }
    }
  }

  /** Adds items, or merges them into those with the same key. */
  static void mergeItems(ArrayNode target, JsonNode items, String key) {
    for (JsonNode item : items) {
      Optional<ObjectNode> there = find(target, key, item.path(key));
      there.ifPresentOrElse(it -> merge(it, item), () -> target.add(item.deepCopy()));
    }
  }

  private static Optional<ObjectNode> find(ArrayNode list, String key, JsonNode value) {
    for (JsonNode item : list) {
      if (item instanceof ObjectNode object && item.path(key).equals(value)) {
        return Optional.of(object);
      }
    }
    return Optional.empty();
  }
}
