package dev.sluice.api.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** The smallest RFC 7386 merge patch from one tree to another. */
public final class MergeDiff {
  private MergeDiff() {}

  /** The patch; empty where nothing changes. */
  public static ObjectNode between(JsonNode from, JsonNode to) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> member : from.properties()) {
      if (!to.has(member.getKey())) {
        patch.putNull(member.getKey());
      }
    }
    for (Map.Entry<String, JsonNode> member : to.properties()) {
      JsonNode old = from.path(member.getKey());
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
}
