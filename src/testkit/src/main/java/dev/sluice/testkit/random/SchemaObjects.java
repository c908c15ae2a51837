package dev.sluice.testkit.random;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonArray;
import dev.sluice.testkit.json.SpelledJson.JsonBoolean;
import dev.sluice.testkit.json.SpelledJson.JsonNull;
import dev.sluice.testkit.json.SpelledJson.JsonNumber;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.json.SpelledJson.JsonText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Random objects that satisfy a structural schema, the {@code openAPIV3Schema} of a CRD version.
 *
 * <p>Required members are always there; others come the more rarely the deeper they are, and no
 * longer when the object has become large. Limits themselves (shortest, longest, least, greatest)
 * are drawn more often than chance would. Rules in CEL ({@code x-kubernetes-validations}) are not
 * looked at. A construct, format or pattern for which there is no generator fails with
 * IllegalArgumentException and its path, so that nothing goes untested unseen.
 */
public final class SchemaObjects {
  private static final int LARGE = 600;
  private static final int ATTEMPTS = 50;
  private static final int USUAL_MORE_ITEMS = 3;
  private static final List<String> COMBINATIONS = List.of("allOf", "oneOf", "anyOf", "not");

  private final RandomGenerator random;
  private final Strings strings;
  private int drawn;

  private SchemaObjects(RandomGenerator random) {
    this.random = random;
    this.strings = new Strings(random);
  }

  /** Draws one object of that kind, with metadata as an API server might have stored it. */
  public static JsonObject draw(
      RandomGenerator random, JsonNode schema, String apiVersion, String kind) {
    var objects = new SchemaObjects(random);
    var members = new LinkedHashMap<String, SpelledJson>();
    members.put("apiVersion", new JsonText(apiVersion));
    members.put("kind", new JsonText(kind));
    members.put("metadata", new Metadata(random, objects.strings).draw(apiVersion));
    for (var property : schema.path("properties").properties()) {
      if (!members.containsKey(property.getKey())
          && objects.wants(schema, property.getKey(), Set.of(), 0)) {
        members.put(property.getKey(), objects.value(property.getValue(), property.getKey(), 1));
      }
    }
    return new JsonObject(members);
  }

  private SpelledJson value(JsonNode schema, String path, int depth) {
    return value(schema, path, depth, Set.of());
  }

  /** Draws one object as above and gives it a name, for when many are to be stored together. */
  public static JsonObject draw(
      RandomGenerator random, JsonNode schema, String apiVersion, String kind, String name) {
    JsonObject object = draw(random, schema, apiVersion, kind);
    var metadata = (JsonObject) object.find("metadata").orElseThrow();
    return object.with("metadata", metadata.with("name", new JsonText(name)));
  }

  /**
   * Draws a value.
   *
   * @param forced members an object must have beyond the required ones
   */
  private SpelledJson value(JsonNode schema, String path, int depth, Set<String> forced) {
    drawn++;
    if (schema.path("nullable").asBoolean() && random.nextInt(6) == 0) {
      return new JsonNull();
    }
    if (schema.has("enum")) {
      JsonNode choices = schema.get("enum");
      return SpelledJson.parse(choices.get(random.nextInt(choices.size())).toString());
    }
    if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
      return intOrString(schema, path);
    }
    refuseCombinations(schema, path);
    return typed(schema, path, depth, forced);
  }

  private SpelledJson typed(JsonNode schema, String path, int depth, Set<String> forced) {
    String type = schema.path("type").asText();
    return switch (type) {
      case "object" -> object(schema, path, depth, forced);
      case "array" -> array(schema, path, depth);
      case "string" -> new JsonText(strings.matching(schema, path));
      case "integer" -> new JsonNumber(Long.toString(Numbers.integer(random, schema)));
      case "number" -> new JsonNumber(Numbers.decimal(random, schema));
      case "boolean" -> new JsonBoolean(random.nextBoolean());
      case "" -> untyped(schema, path);
      default -> throw unknown(path, "type " + type);
    };
  }

  private SpelledJson untyped(JsonNode schema, String path) {
    if (!schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
      throw unknown(path, "a schema without a type");
    }
    return Trees.any(random, strings, 3);
  }

  private SpelledJson intOrString(JsonNode schema, String path) {
    if (random.nextBoolean()) {
      return new JsonNumber(Long.toString(Numbers.integer(random, schema)));
    }
    return new JsonText(strings.matching(schema, path));
  }

  private static void refuseCombinations(JsonNode schema, String path) {
    for (String combination : COMBINATIONS) {
      if (schema.has(combination)) {
        throw unknown(path, combination);
      }
    }
  }

  private JsonObject object(JsonNode schema, String path, int depth, Set<String> forced) {
    var members = new LinkedHashMap<String, SpelledJson>();
    if (schema.path("x-kubernetes-embedded-resource").asBoolean()) {
      members.put("apiVersion", new JsonText("v1"));
      members.put("kind", new JsonText("ConfigMap"));
      members.put(
          "metadata", new JsonObject(Map.of("name", new JsonText(strings.subdomain(1, 30)))));
    }
    for (var property : schema.path("properties").properties()) {
      String name = property.getKey();
      if (!members.containsKey(name) && wants(schema, name, forced, depth)) {
        members.put(name, value(property.getValue(), path + "." + name, depth + 1));
      }
    }
    addFreeMembers(schema, path, depth, members);
    return shuffled(members);
  }

  private void addFreeMembers(
      JsonNode schema, String path, int depth, Map<String, SpelledJson> members) {
    JsonNode values = schema.path("additionalProperties");
    int least = schema.path("minProperties").asInt(0);
    if (values.isObject()) {
      int size = size(least, schema.path("maxProperties").asInt(Integer.MAX_VALUE));
      for (int i = 0; i < ATTEMPTS && members.size() < size; i++) {
        members.put(strings.mapKey(), value(values, path + ".*", depth + 1));
      }
    } else if (values.asBoolean()
        || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
      for (int i = random.nextInt(3); i > 0; i--) {
        members.putIfAbsent("free-" + strings.label(1, 20), Trees.any(random, strings, 2));
      }
    }
    if (members.size() < least) {
      throw unknown(path, "minProperties " + least);
    }
  }

  private boolean wants(JsonNode schema, String name, Set<String> forced, int depth) {
    if (forced.contains(name)) {
      return true;
    }
    for (JsonNode required : schema.path("required")) {
      if (required.asText().equals(name)) {
        return true;
      }
    }
    double likely = depth < 2 ? 0.8 : depth < 5 ? 0.5 : 0.2;
    return drawn < LARGE && random.nextDouble() < likely;
  }

  private JsonArray array(JsonNode schema, String path, int depth) {
    int least = schema.path("minItems").asInt(0);
    int size = size(least, schema.path("maxItems").asInt(Integer.MAX_VALUE));
    var keys = new LinkedHashSet<String>();
    schema.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.asText()));
    boolean unique =
        !keys.isEmpty() || schema.path("x-kubernetes-list-type").asText().equals("set");
    var items = new ArrayList<SpelledJson>();
    var identities = new HashSet<Object>();
    for (int i = 0; i < size + ATTEMPTS && items.size() < size; i++) {
      SpelledJson item = value(schema.path("items"), path + "[]", depth + 1, keys);
      if (!unique || identities.add(identity(item, keys))) {
        items.add(item);
      }
    }
    if (items.size() < least) {
      throw unknown(path, least + " items that differ");
    }
    return new JsonArray(items);
  }

  private static Object identity(SpelledJson item, Set<String> keys) {
    return item instanceof JsonObject object && !keys.isEmpty()
        ? keys.stream().map(object::find).toList()
        : item;
  }

  /** A size between the limits, usually near the least, and the least itself when it is late. */
  private int size(int least, int greatest) {
    if (drawn >= LARGE) {
      return least;
    }
    if (greatest <= 16 && random.nextInt(12) == 0) {
      return greatest;
    }
    int room = Math.min(USUAL_MORE_ITEMS, greatest - least);
    return least + random.nextInt(room + 1);
  }

  private JsonObject shuffled(Map<String, SpelledJson> members) {
    if (random.nextInt(3) > 0) {
      return new JsonObject(members);
    }
    var order = new ArrayList<>(members.entrySet());
    Trees.shuffle(random, order);
    var result = new LinkedHashMap<String, SpelledJson>();
    order.forEach(member -> result.put(member.getKey(), member.getValue()));
    return new JsonObject(result);
  }

  static IllegalArgumentException unknown(String path, String construct) {
    return new IllegalArgumentException(
        "schema of " + path + ": " + construct + " (expected: something with a generator)");
  }
}
