package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.NOT_SUPPORTED;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object of a document. Each read names a field and makes it known; {@link #end}
 * reports the unknown ones. A missing, null or wrong field gives the default; a wrong one is
 * reported as well.
 */
final class Fields {
  private final JsonNode node;
  private final String path;
  private final String schemaPath;
  private final Problems problems;
  private final Set<String> given;
  private final Set<String> asked = new LinkedHashSet<>();

  private Fields(
      JsonNode node, String path, String schemaPath, Problems problems, Set<String> given) {
    this.node = node;
    this.path = path;
    this.schemaPath = schemaPath;
    this.problems = problems;
    this.given = given;
  }

  /**
   * The fields of a document.
   *
   * @param given gets the paths of all fields that are set
   */
  static Fields of(JsonNode document, Problems problems, Set<String> given) {
    return new Fields(document, "", "", problems, given);
  }

  /** Whether the object is there. */
  boolean present() {
    return node.isObject();
  }

  /** The path of a field of this object. */
  String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** The path of this object. */
  String path() {
    return path;
  }

  Problems problems() {
    return problems;
  }

  void problem(Problem.Type type, String name, String detail) {
    problems.add(type, path(name), detail);
  }

  /** The value with what is wrong about it and what was expected, as all our sentences have it. */
  static String wrong(Object value, String expected) {
    String text = String.valueOf(value);
    String brief = text.length() <= 80 ? text : text.substring(0, 80) + "...";
    return brief + " (expected: " + expected + ")";
  }

  boolean has(String name) {
    return find(name) != null;
  }

  /** The field, unless it is missing or null. */
  @Nullable JsonNode find(String name) {
    asked.add(name);
    problems.know(schema(name));
    JsonNode value = node.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    given.add(path(name));
    return value;
  }

  Optional<String> text(String name) {
    JsonNode value = find(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      problem(INVALID, name, wrong(value, "a text"));
      return Optional.empty();
    }
    return Optional.of(value.textValue());
  }

  String text(String name, String byDefault) {
    problems.know(schema(name), byDefault);
    return text(name).filter(text -> !text.isEmpty()).orElse(byDefault);
  }

  boolean flag(String name, boolean byDefault) {
    problems.know(schema(name), byDefault);
    JsonNode value = find(name);
    if (value == null) {
      return byDefault;
    }
    if (!value.isBoolean()) {
      problem(INVALID, name, wrong(value, "true or false"));
      return byDefault;
    }
    return value.booleanValue();
  }

  int integer(String name, int byDefault, int min, int max) {
    problems.know(schema(name), byDefault);
    JsonNode value = find(name);
    if (value == null) {
      return byDefault;
    }
    String expected = max == Integer.MAX_VALUE ? "an integer >= " + min : min + " to " + max;
    return integer(value, path(name), min, max, expected).orElse(byDefault);
  }

  private Optional<Integer> integer(JsonNode value, String at, int min, int max, String expected) {
    if (!value.isIntegralNumber()
        || !value.canConvertToInt()
        || value.intValue() < min
        || value.intValue() > max) {
      problems.add(INVALID, at, wrong(value, expected));
      return Optional.empty();
    }
    return Optional.of(value.intValue());
  }

  double number(String name, double byDefault) {
    problems.know(schema(name), byDefault);
    JsonNode value = find(name);
    if (value == null) {
      return byDefault;
    }
    if (!value.isNumber()) {
      problem(INVALID, name, wrong(value, "a number"));
      return byDefault;
    }
    return value.doubleValue();
  }

  /** A time that is not negative. */
  Optional<Duration> duration(String name) {
    JsonNode value = find(name);
    if (value == null) {
      return Optional.empty();
    }
    Optional<Duration> duration = GoDuration.parse(value.isTextual() ? value.textValue() : "");
    if (duration.isEmpty()) {
      problem(INVALID, name, wrong(value, GoDuration.EXPECTED));
    } else if (duration.get().isNegative()) {
      problem(INVALID, name, wrong(value, GoDuration.EXPECTED + ", not negative"));
      return Optional.empty();
    }
    return duration;
  }

  Duration duration(String name, Duration byDefault) {
    problems.know(schema(name), byDefault);
    return duration(name).orElse(byDefault);
  }

  /** One of these texts. */
  String choice(String name, String byDefault, String... others) {
    List<String> choices = new ArrayList<>(List.of(byDefault));
    choices.addAll(Arrays.asList(others));
    String value = text(name, byDefault);
    if (choices.contains(value)) {
      return value;
    }
    problem(NOT_SUPPORTED, name, unsupported(value, choices));
    return byDefault;
  }

  /** A value that is none of the choices, with the most similar choice. */
  static String unsupported(String value, List<String> choices) {
    String hint =
        Spelling.nearest(value, choices).map(near -> ", did you mean " + near + "?").orElse("");
    return wrong("\"" + value + "\"", "one of " + String.join(", ", choices)) + hint;
  }

  /** The fields of an object within this one, which may not be there. */
  Fields object(String name) {
    JsonNode value = find(name);
    if (value != null && !value.isObject()) {
      problem(INVALID, name, wrong(value, "an object"));
    }
    JsonNode object = value != null && value.isObject() ? value : MissingNode.getInstance();
    return new Fields(object, path(name), schema(name), problems, given);
  }

  private String schema(String name) {
    return schemaPath.isEmpty() ? name : schemaPath + "." + name;
  }

  /** Each object of a list; those with an empty result are left out. */
  <T> List<T> objects(String name, Function<Fields, Optional<T>> read) {
    List<T> values = new ArrayList<>();
    List<JsonNode> items = items(name);
    for (int i = 0; i < items.size(); i++) {
      String at = path(name) + "[" + i + "]";
      if (items.get(i).isObject()) {
        Fields item = new Fields(items.get(i), at, schema(name) + "[]", problems, given);
        read.apply(item).ifPresent(values::add);
      } else {
        problems.add(INVALID, at, wrong(items.get(i), "an object"));
      }
    }
    return values;
  }

  List<String> texts(String name) {
    List<String> values = new ArrayList<>();
    List<JsonNode> items = items(name);
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).isTextual()) {
        values.add(items.get(i).textValue());
      } else {
        problems.add(INVALID, path(name) + "[" + i + "]", wrong(items.get(i), "a text"));
        values.add(""); // so that the indices of the others stay what they are
      }
    }
    return values;
  }

  List<JsonNode> items(String name) {
    JsonNode value = find(name);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      problem(INVALID, name, wrong(value, "a list"));
      return List.of();
    }
    List<JsonNode> items = new ArrayList<>();
    value.forEach(items::add);
    return items;
  }

  /** The members of an object with arbitrary keys. */
  Map<String, JsonNode> members(String name) {
    JsonNode value = find(name);
    if (value == null) {
      return Map.of();
    }
    if (!value.isObject()) {
      problem(INVALID, name, wrong(value, "an object"));
      return Map.of();
    }
    Map<String, JsonNode> members = new LinkedHashMap<>();
    value.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
    return members;
  }

  Map<String, Integer> integers(String name, int min) {
    Map<String, Integer> values = new LinkedHashMap<>();
    members(name)
        .forEach(
            (key, value) ->
                integer(
                        value,
                        path(name) + "[" + key + "]",
                        min,
                        Integer.MAX_VALUE,
                        "an integer >= " + min)
                    .ifPresent(number -> values.put(key, number)));
    return values;
  }

  /** Marks this field as known; other code reads it. */
  void ignore(String... names) {
    for (String name : names) {
      find(name);
    }
  }

  /** Reports the unknown fields. */
  void end() {
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!asked.contains(name)) {
                problems.unknown(path(name), name, List.copyOf(asked));
              }
            });
  }
}
