package dev.sluice.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaObjectsTest {
  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyDrawnObjectSatisfiesItsSchema(long seed) {
    JsonNode object = Schemas.parse(draw(seed).write());

    assertThat(object.path("apiVersion").asText()).isEqualTo("harbor.example/v1");
    assertThat(object.path("kind").asText()).isEqualTo("Berth");
    assertThat(object.path("metadata").path("name").asText())
        .matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
    assertThat(violations(Schemas.berth(), object)).isEmpty();
  }

  @Test
  void theSameSeedDrawsTheSameText() {
    assertThat(draw(42).write()).isEqualTo(draw(42).write()).isNotEqualTo(draw(43).write());
  }

  @Test
  void everyMemberComesAndEveryOptionalOneIsSometimesAbsent() {
    Set<String> possible = new TreeSet<>();
    Schemas.berth().at("/properties/spec/properties").fieldNames().forEachRemaining(possible::add);
    Set<String> ever = new TreeSet<>();
    Set<String> always = new TreeSet<>(possible);

    seeds()
        .forEach(
            seed -> {
              Set<String> names = new HashSet<>();
              Schemas.parse(draw(seed).write())
                  .path("spec")
                  .fieldNames()
                  .forEachRemaining(names::add);
              ever.addAll(names);
              always.retainAll(names);
            });

    assertThat(ever).isEqualTo(possible);
    assertThat(always).containsExactly("depth", "strategy");
  }

  @Test
  void theLimitsThemselvesAreDrawn() {
    Set<Integer> depths = new HashSet<>();

    seeds()
        .forEach(seed -> depths.add(Schemas.parse(draw(seed).write()).at("/spec/depth").asInt()));

    assertThat(depths).contains(1, 30);
  }

  @Test
  void metadataHasAllItsMembersSomeTime() {
    Set<String> names = new TreeSet<>();

    seeds()
        .forEach(
            seed ->
                Schemas.parse(draw(seed).write())
                    .path("metadata")
                    .fieldNames()
                    .forEachRemaining(names::add));

    assertThat(names)
        .contains("name", "labels", "annotations", "finalizers", "managedFields", "uid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"string\",\"pattern\":\"^x+$\"}",
        "{\"type\":\"string\",\"format\":\"ipv4\"}",
        "{\"type\":\"string\",\"allOf\":[{\"maxLength\":3}]}",
        "{\"description\":\"no type\"}",
        "{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"minItems\":3,"
            + "\"items\":{\"type\":\"boolean\"}}"
      })
  void refusesWhatItHasNoGeneratorFor(String odd) {
    JsonNode schema =
        Schemas.parse("{\"required\":[\"spec\"],\"properties\":{\"spec\":" + odd + "}}");

    assertThatThrownBy(() -> SchemaObjects.draw(new Random(1), schema, "v1", "Odd"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("schema of spec: ");
  }

  private static JsonObject draw(long seed) {
    return SchemaObjects.draw(new Random(seed), Schemas.berth(), "harbor.example/v1", "Berth");
  }

  /** A second reading of the schema language, written apart from the generator. */
  private static List<String> violations(JsonNode schema, JsonNode value) {
    var found = new ArrayList<String>();
    check(schema, value, "$", found::add);
    return found;
  }

  private static void check(JsonNode schema, JsonNode value, String at, Consumer<String> report) {
    if (value.isNull()) {
      require(schema.path("nullable").asBoolean(), at + " is null", report);
      return;
    }
    require(isOfType(schema, value), at + " has another type: " + value, report);
    checkText(schema, value, at, report);
    checkNumber(schema, value, at, report);
    checkArray(schema, value, at, report);
    checkObject(schema, value, at, report);
  }

  private static boolean isOfType(JsonNode schema, JsonNode value) {
    if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
      return value.isIntegralNumber() || value.isTextual();
    }
    return switch (schema.path("type").asText()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      default -> false;
    };
  }

  private static void checkText(
      JsonNode schema, JsonNode value, String at, Consumer<String> report) {
    if (!value.isTextual()) {
      return;
    }
    String text = value.asText();
    int length = text.codePointCount(0, text.length());
    require(length >= schema.path("minLength").asInt(0), at + " is too short: " + text, report);
    require(length <= schema.path("maxLength").asInt(9999), at + " is too long: " + text, report);
    String pattern = schema.path("pattern").asText("");
    require(Pattern.compile(pattern).matcher(text).find(), at + " is ill-formed: " + text, report);
    if (schema.path("format").asText().equals("date-time")) {
      String form = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
      require(text.matches(form), at + " is no time: " + text, report);
    }
    if (schema.has("enum")) {
      boolean chosen = false;
      for (JsonNode choice : schema.get("enum")) {
        chosen |= choice.equals(value);
      }
      require(chosen, at + " is none of the choices: " + text, report);
    }
  }

  private static void checkNumber(
      JsonNode schema, JsonNode value, String at, Consumer<String> report) {
    if (value.isNumber()) {
      boolean low = value.asDouble() < schema.path("minimum").asDouble(-1e300);
      boolean high = value.asDouble() > schema.path("maximum").asDouble(1e300);
      require(!low && !high, at + " is out of its limits: " + value, report);
      if (schema.path("format").asText().equals("int32")) {
        require(value.canConvertToInt(), at + " is wider than 32 bits: " + value, report);
      }
      require(!value.isIntegralNumber() || value.canConvertToLong(), at + " is too wide", report);
    }
  }

  private static void checkArray(
      JsonNode schema, JsonNode value, String at, Consumer<String> report) {
    if (!value.isArray()) {
      return;
    }
    require(value.size() >= schema.path("minItems").asInt(0), at + " has too few", report);
    require(value.size() <= schema.path("maxItems").asInt(9999), at + " has too many", report);
    var keys = new ArrayList<String>();
    schema.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.asText()));
    var identities = new HashSet<List<JsonNode>>();
    for (JsonNode item : value) {
      check(schema.path("items"), item, at + "[]", report);
      boolean isNew =
          identities.add(keys.isEmpty() ? List.of(item) : keys.stream().map(item::path).toList());
      require(isNew || !schema.has("x-kubernetes-list-type"), at + " repeats " + item, report);
    }
  }

  private static void checkObject(
      JsonNode schema, JsonNode value, String at, Consumer<String> report) {
    if (!value.isObject() || at.equals("$.metadata")) {
      return;
    }
    require(value.size() <= schema.path("maxProperties").asInt(9999), at + " is too large", report);
    for (JsonNode name : schema.path("required")) {
      require(value.has(name.asText()), at + " lacks " + name, report);
    }
    for (var member : value.properties()) {
      JsonNode known = schema.path("properties").path(member.getKey());
      JsonNode other = schema.path("additionalProperties");
      boolean free = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
      if (known.isObject() || other.isObject()) {
        check(
            known.isObject() ? known : other,
            member.getValue(),
            at + "." + member.getKey(),
            report);
      } else {
        require(free, at + " has the unknown member " + member.getKey(), report);
      }
    }
  }

  private static void require(boolean truth, String otherwise, Consumer<String> report) {
    if (!truth) {
      report.accept(otherwise);
    }
  }
}
