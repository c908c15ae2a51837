package dev.sluice.jobs.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.MergePatch;

/** Trees that become the bodies of writes. */
public final class Patches {
  private Patches() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** The smallest patch that makes the one object the other; empty if they are equal. */
  public static ObjectNode between(JsonNode before, JsonNode after) {
    return MergePatch.between(before, after);
  }

  /**
   * A copy of which the metadata and the fields right below {@code spec} may be changed; it shares
   * the rest, so that {@link #between} need not look at it.
   */
  public static ObjectNode editable(JsonNode object) {
    ObjectNode copy = shallow(object);
    if (object.path("metadata").isObject()) {
      copy.replace("metadata", object.path("metadata").deepCopy());
    }
    if (object.path("spec").isObject()) {
      copy.replace("spec", shallow(object.path("spec")));
    }
    return copy;
  }

  private static ObjectNode shallow(JsonNode object) {
    ObjectNode copy = object();
    object.properties().forEach(it -> copy.set(it.getKey(), it.getValue()));
    return copy;
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
