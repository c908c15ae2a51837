package dev.sluice.jobs.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Builds the JSON of merge patches (RFC 7386). */
public final class Patches {
  private Patches() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** The object at that member, which is made if it is not there. */
  public static ObjectNode child(ObjectNode parent, String name) {
    return parent.path(name) instanceof ObjectNode there ? there : parent.putObject(name);
  }
}
