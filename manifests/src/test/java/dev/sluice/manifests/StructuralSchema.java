package dev.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the API server demands of a structural schema, as far as our sources can get it wrong. */
final class StructuralSchema {

  private static final Set<String> ALLOWED =
      Set.of(
          "description",
          "type",
          "format",
          "enum",
          "default",
          "pattern",
          "minLength",
          "maxLength",
          "minimum",
          "maximum",
          "minItems",
          "maxItems",
          "minProperties",
          "maxProperties",
          "required",
          "properties",
          "additionalProperties",
          "items",
          "anyOf",
          "x-kubernetes-int-or-string",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type",
          "x-kubernetes-validations");

  private final List<String> faults = new ArrayList<>();

  private StructuralSchema() {}

  /** The faults of a schema, each with its path; none if the API server takes it. */
  static List<String> faults(JsonNode root) {
    StructuralSchema check = new StructuralSchema();
    check.require("", root.path("type").asText().equals("object"), "the root is no object");
    JsonNode metadata = root.at("/properties/metadata");
    check.require(".metadata", metadata.size() == 1, "says more than its type");
    check.walk("", root);
    return check.faults;
  }

  private void walk(String path, JsonNode node) {
    node.fieldNames()
        .forEachRemaining(key -> require(path, ALLOWED.contains(key), key + " is not allowed"));
    boolean intOrString = node.path("x-kubernetes-int-or-string").asBoolean();
    require(path, intOrString != node.has("type"), "has no type, or one beside int-or-string");
    require(path, !node.has("anyOf") || intOrString, "has anyOf without int-or-string");
    require(path, node.path("type").asText().equals("array") == node.has("items"), "array, items");
    require(
        path,
        !node.has("properties") || !node.has("additionalProperties"),
        "has properties and additionalProperties");
    for (JsonNode name : node.path("required")) {
      require(path, node.path("properties").has(name.asText()), name + " is required but unknown");
    }
    checkList(path, node);
    for (Map.Entry<String, JsonNode> child : node.path("properties").properties()) {
      walk(path + "." + child.getKey(), child.getValue());
    }
    if (node.has("items")) {
      walk(path + "[]", node.get("items"));
    }
    if (node.path("additionalProperties").isObject()) {
      walk(path + "{}", node.get("additionalProperties"));
    }
  }

  private void checkList(String path, JsonNode node) {
    String type = node.path("x-kubernetes-list-type").asText();
    JsonNode items = node.path("items");
    require(path, type.isEmpty() || node.has("items"), "has a list type but is no list");
    require(path, !type.equals("set") || !items.has("properties"), "is a set of objects");
    require(path, type.equals("map") == node.has("x-kubernetes-list-map-keys"), "keys, list type");
    for (JsonNode key : node.path("x-kubernetes-list-map-keys")) {
      JsonNode field = items.path("properties").path(key.asText());
      boolean always = field.has("default") || contains(items.path("required"), key);
      require(path, always, key + " is a key but neither required nor given a default");
    }
  }

  private static boolean contains(JsonNode list, JsonNode item) {
    for (JsonNode candidate : list) {
      if (candidate.equals(item)) {
        return true;
      }
    }
    return false;
  }

  private void require(String path, boolean holds, String fault) {
    if (!holds) {
      faults.add(path + ": " + fault);
    }
  }
}
