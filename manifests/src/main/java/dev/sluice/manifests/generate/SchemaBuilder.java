package dev.sluice.manifests.generate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns the nodes of a kind file, as one version sees them, into OpenAPI schemas. What a node says
 * beyond OpenAPI: {@code use} takes over a definition, {@code fields} are the properties of an
 * object and {@code values} those of a map, {@code required} stands at the field itself, {@code
 * list} and {@code keys} are the list type, {@code map} the map type, {@code rules} the CEL rules.
 * Types that follow from these need not be written.
 */
final class SchemaBuilder {

  /** What is copied to the schema as it is, in the order in which it is written. */
  private static final List<String> COPIED =
      List.of(
          "description",
          "type",
          "format",
          "anyOf",
          "x-kubernetes-int-or-string",
          "x-kubernetes-preserve-unknown-fields",
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
          "maxProperties");

  private static final Set<String> TRANSLATED =
      Set.of("use", "fields", "items", "values", "required", "list", "keys", "map", "rules");

  private final ObjectNode definitions;
  private final Deque<String> path = new ArrayDeque<>();

  /** A builder that looks up {@code use} in these definitions, which it does not change. */
  SchemaBuilder(ObjectNode definitions) {
    this.definitions = definitions;
  }

  /**
   * The schema of a node.
   *
   * @throws IllegalArgumentException for a key or a definition that is not known, with the path to
   *     it
   */
  ObjectNode build(JsonNode node) {
    ObjectNode full = expand(node, 0);
    requireKnownKeys(full);
    ObjectNode schema = object();
    COPIED.forEach(key -> copy(full, key, schema));
    addLists(full, schema);
    addRules(full, schema);
    addFields(full, schema);
    addChild(full, "values", "additionalProperties", schema);
    addChild(full, "items", "items", schema);
    return schema;
  }

  private ObjectNode expand(JsonNode node, int depth) {
    if (!(node instanceof ObjectNode own)) {
      throw wrong(node + " (expected: an object that describes a field)");
    }
    if (!own.has("use")) {
      return own;
    }
    ObjectNode full = expand(definition(own.get("use").asText(), depth), depth + 1).deepCopy();
    for (Map.Entry<String, JsonNode> entry : own.properties()) {
      if (entry.getKey().equals("fields") && full.get("fields") instanceof ObjectNode fields) {
        fields.setAll((ObjectNode) entry.getValue());
      } else if (!entry.getKey().equals("use")) {
        full.set(entry.getKey(), entry.getValue());
      }
    }
    return full;
  }

  private JsonNode definition(String name, int depth) {
    JsonNode definition = definitions.get(name);
    if (definition == null || depth > definitions.size()) {
      throw wrong("use: " + name + " (expected: a definition that does not use itself)");
    }
    return definition;
  }

  private void requireKnownKeys(ObjectNode node) {
    node.fieldNames()
        .forEachRemaining(
            key -> {
              if (!COPIED.contains(key) && !TRANSLATED.contains(key)) {
                throw wrong(key + " (expected: one of " + COPIED + " or " + TRANSLATED + ")");
              }
            });
  }

  private static void copy(ObjectNode full, String key, ObjectNode schema) {
    JsonNode value = full.get(key);
    if (value != null) {
      schema.set(key, value.deepCopy());
    } else if (key.equals("type") && (full.has("fields") || full.has("values"))) {
      schema.put("type", "object");
    } else if (key.equals("type") && full.has("items")) {
      schema.put("type", "array");
    }
  }

  private static void addLists(ObjectNode full, ObjectNode schema) {
    if (full.has("keys")) {
      schema.put("x-kubernetes-list-type", "map");
      schema.set("x-kubernetes-list-map-keys", full.get("keys").deepCopy());
    } else if (full.has("list")) {
      schema.set("x-kubernetes-list-type", full.get("list"));
    }
    if (full.has("map")) {
      schema.set("x-kubernetes-map-type", full.get("map"));
    }
  }

  private static void addRules(ObjectNode full, ObjectNode schema) {
    if (full.has("rules")) {
      schema.set("x-kubernetes-validations", full.get("rules").deepCopy());
    }
  }

  private void addFields(ObjectNode full, ObjectNode schema) {
    if (!(full.get("fields") instanceof ObjectNode fields)) {
      return;
    }
    ArrayNode required = JsonNodeFactory.instance.arrayNode();
    ObjectNode properties = object();
    for (Map.Entry<String, JsonNode> field : fields.properties()) {
      path.addLast(field.getKey());
      properties.set(field.getKey(), build(field.getValue()));
      if (expand(field.getValue(), 0).path("required").asBoolean()) {
        required.add(field.getKey());
      }
      path.removeLast();
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    schema.set("properties", properties);
  }

  private void addChild(ObjectNode full, String key, String name, ObjectNode schema) {
    if (full.has(key)) {
      path.addLast(key);
      schema.set(name, build(full.get(key)));
      path.removeLast();
    }
  }

  private IllegalArgumentException wrong(String message) {
    return new IllegalArgumentException(String.join(".", path) + ": " + message);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
