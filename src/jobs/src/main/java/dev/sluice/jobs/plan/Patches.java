package dev.sluice.jobs.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Merge patches, as RFC 7386 has them. */
public final class Patches {
  private Patches() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** The smallest patch that makes the one object the other; empty if they are equal. */
  public static ObjectNode between(JsonNode before, JsonNode after) {
    ObjectNode patch = object();
    for (Map.Entry<String, JsonNode> member : after.properties()) {
      JsonNode old = before.path(member.getKey());
      JsonNode now = member.getValue();
      if (old.isObject() && now.isObject()) {
        ObjectNode inner = between(old, now);
        if (!inner.isEmpty()) {
          patch.set(member.getKey(), inner);
        }
      } else if (!old.equals(now)) {
        patch.set(member.getKey(), now);
      }
    }
    for (Map.Entry<String, JsonNode> member : before.properties()) {
      if (after.path(member.getKey()).isMissingNode()) {
        patch.putNull(member.getKey());
      }
    }
    return patch;
  }

  /** The object at that member, which is made if it is not there. */
  public static ObjectNode child(ObjectNode parent, String name) {
    return parent.path(name) instanceof ObjectNode there ? there : parent.putObject(name);
  }

  /** The list at that member, which is made if it is not there. */
  public static ArrayNode list(ObjectNode parent, String name) {
    return parent.path(name) instanceof ArrayNode there ? there : parent.putArray(name);
  }
}
