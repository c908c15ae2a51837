package dev.sluice.api.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Merge patches as RFC 7386 defines them. The trees that come in are never changed. */
public final class MergePatch {
  private MergePatch() {}

  /** The smallest patch that makes one object the other; empty if they are equal. */
  @SuppressWarnings("ReferenceEquality") // equal nodes are found below, at a higher cost
  public static ObjectNode between(JsonNode before, JsonNode after) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    if (before == after) {
      return patch; // a part that a copy shares with what it was made from
    }
    for (Map.Entry<String, JsonNode> member : before.properties()) {
      if (!after.has(member.getKey())) {
        patch.putNull(member.getKey());
      }
    }
    for (Map.Entry<String, JsonNode> member : after.properties()) {
      JsonNode old = before.path(member.getKey());
      if (old.isObject() && member.getValue().isObject()) {
        ObjectNode deeper = between(old, member.getValue());
        if (!deeper.isEmpty()) {
          patch.set(member.getKey(), deeper);
        }
      } else if (!old.equals(member.getValue())) {
        patch.set(member.getKey(), member.getValue());
      }
    }
    return patch;
  }

  /** The target with the patch applied. It shares with both what the patch leaves as it is. */
  public static JsonNode applied(JsonNode target, JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    if (target instanceof ObjectNode object) {
      merged.setAll(object);
    }
    for (Map.Entry<String, JsonNode> member : patch.properties()) {
      if (member.getValue().isNull()) {
        merged.remove(member.getKey());
      } else {
        merged.set(member.getKey(), applied(merged.path(member.getKey()), member.getValue()));
      }
    }
    return merged;
  }
}
