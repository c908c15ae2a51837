package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One node of a structural schema, with the nodes below it. Immutable, except for trees that must
 * not be modified. An unknown keyword is refused, so that none is silently ignored.
 */
final class Schema {
  private static final Set<String> KEYWORDS =
      Set.of(
          "description",
          "type",
          "format",
          "anyOf", // says again what int-or-string says
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
          "maxProperties",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type",
          "x-kubernetes-validations",
          "required",
          "properties",
          "additionalProperties",
          "items");

  private final JsonNode node;
  private final Type type;
  private final @Nullable Pattern pattern;
  private final Map<String, Schema> properties;
  private final @Nullable Schema values;
  private final @Nullable Schema items;
  private final List<Rule> rules;
  private final boolean hasRules;
  private final boolean hasUniqueLists;

  /** What a value may be. */
  enum Type {
    OBJECT("an object"),
    ARRAY("a list"),
    STRING("text"),
    INTEGER("an integer"),
    NUMBER("a number"),
    BOOLEAN("true or false"),
    INT_OR_STRING("an integer or text");

    private final String words;

    Type(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }

    private static Type of(JsonNode node) {
      if (node.path("x-kubernetes-int-or-string").asBoolean()) {
        return INT_OR_STRING;
      }
      String text = node.path("type").asText();
      for (Type type : values()) {
        if (type.name().equalsIgnoreCase(text)) {
          return type;
        }
      }
      throw new IllegalArgumentException("type: " + text + " (expected: a type of OpenAPI)");
    }

    boolean admits(JsonNode value) {
      return switch (this) {
        case OBJECT -> value.isObject();
        case ARRAY -> value.isArray();
        case STRING -> value.isTextual();
        case INTEGER -> value.isIntegralNumber();
        case NUMBER -> value.isNumber();
        case BOOLEAN -> value.isBoolean();
        case INT_OR_STRING -> value.isIntegralNumber() || value.isTextual();
      };
    }
  }

  /**
   * A rule in CEL.
   *
   * @param expression what must be true of {@code self}
   * @param message what to say where it is not
   */
  record Rule(String expression, String message) {
    private static Rule of(JsonNode node) {
      requireKnown(node, Set.of("rule", "message"));
      String rule = node.path("rule").asText();
      return new Rule(rule, node.path("message").asText("failed rule: " + rule));
    }
  }

  /** The limits of a count: how long, how many. */
  record Limits(long least, long most) {}

  private Schema(JsonNode node) {
    requireKnown(node, KEYWORDS);
    this.node = node;
    this.type = Type.of(node);
    this.pattern = node.has("pattern") ? Pattern.compile(node.get("pattern").asText()) : null;
    Map<String, Schema> members = new LinkedHashMap<>();
    for (var property : node.path("properties").properties()) {
      members.put(property.getKey(), new Schema(property.getValue()));
    }
    this.properties = Collections.unmodifiableMap(members);
    this.values = node.has("additionalProperties") ? of(node.get("additionalProperties")) : null;
    this.items = node.has("items") ? of(node.get("items")) : null;
    this.rules = rules(node.path("x-kubernetes-validations"));
    this.hasRules = !rules.isEmpty() || below().stream().anyMatch(Schema::hasRules);
    this.hasUniqueLists =
        !listType().equals("atomic") || below().stream().anyMatch(Schema::hasUniqueLists);
  }

  /**
   * The schema that a tree describes; the tree is kept.
   *
   * @throws IllegalArgumentException for a keyword that is not known
   */
  static Schema of(JsonNode node) {
    return new Schema(node);
  }

  private static void requireKnown(JsonNode node, Set<String> known) {
    node.fieldNames()
        .forEachRemaining(
            key -> {
              if (!known.contains(key)) {
                throw new IllegalArgumentException(key + " (expected: one of " + known + ")");
              }
            });
  }

  private static List<Rule> rules(JsonNode list) {
    List<Rule> rules = new ArrayList<>();
    list.forEach(rule -> rules.add(Rule.of(rule)));
    return List.copyOf(rules);
  }

  Type type() {
    return type;
  }

  /** The members that are known by name. */
  Map<String, Schema> properties() {
    return properties;
  }

  /** The nodes directly below this one. */
  List<Schema> below() {
    List<Schema> below = new ArrayList<>(properties.values());
    if (values != null) {
      below.add(values);
    }
    if (items != null) {
      below.add(items);
    }
    return below;
  }

  /** What the values of a map are, whose keys users choose; null if this is none. */
  @Nullable Schema values() {
    return values;
  }

  /** What the items of a list are; null if this is none. */
  @Nullable Schema items() {
    return items;
  }

  /** What is known of the member with this name; null if nothing. */
  @Nullable Schema member(String name) {
    Schema property = properties.get(name);
    return property != null ? property : values;
  }

  List<Rule> rules() {
    return rules;
  }

  /** Whether there are rules here or below. */
  boolean hasRules() {
    return hasRules;
  }

  /** Whether there are lists here or below in which something may stand once only. */
  boolean hasUniqueLists() {
    return hasUniqueLists;
  }

  /** {@code atomic}, {@code set} or {@code map}. */
  String listType() {
    return node.path("x-kubernetes-list-type").asText("atomic");
  }

  /** The key members of a list map; empty for every other list. */
  List<String> listKeys() {
    List<String> keys = new ArrayList<>();
    node.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.asText()));
    return keys;
  }

  boolean preservesUnknownFields() {
    return node.path("x-kubernetes-preserve-unknown-fields").asBoolean();
  }

  @Nullable JsonNode defaultValue() {
    return node.get("default");
  }

  List<String> required() {
    List<String> names = new ArrayList<>();
    node.path("required").forEach(name -> names.add(name.asText()));
    return names;
  }

  /** The values there may be; empty if any may. */
  List<JsonNode> allowed() {
    List<JsonNode> allowed = new ArrayList<>();
    node.path("enum").forEach(allowed::add);
    return allowed;
  }

  String format() {
    return node.path("format").asText();
  }

  @Nullable Pattern pattern() {
    return pattern;
  }

  Limits length() {
    return limits("minLength", "maxLength", 0);
  }

  Limits itemCount() {
    return limits("minItems", "maxItems", 0);
  }

  Limits memberCount() {
    return limits("minProperties", "maxProperties", 0);
  }

  Limits range() {
    return limits("minimum", "maximum", Long.MIN_VALUE);
  }

  private Limits limits(String least, String most, long none) {
    return new Limits(node.path(least).asLong(none), node.path(most).asLong(Long.MAX_VALUE));
  }
}
