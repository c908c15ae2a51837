package dev.sluice.cli.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** A merge patch of JSON (RFC 7386): objects are merged, null removes, all else replaces. */
final class JsonMerge {
  private JsonMerge() {}

  /** The target with the patch applied; the target is left as it is. */
  static JsonNode merge(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch;
    }
    ObjectNode merged =
        target instanceof ObjectNode object ? object.deepCopy() : changes.objectNode();
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (change.getValue().isNull()) {
        merged.remove(change.getKey());
      } else {
        merged.set(change.getKey(), merge(merged.path(change.getKey()), change.getValue()));
      }
    }
    return merged;
  }
}
