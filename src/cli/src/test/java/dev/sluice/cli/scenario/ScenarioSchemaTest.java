package dev.sluice.cli.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.Spelled;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The schema that editors are given, and the records that scenarios are read as. */
class ScenarioSchemaTest {
  private static final Path FILE = Path.of("../../manifests/schema/scenario.json");

  private final List<String> differences = new ArrayList<>();

  @Test
  void theSchemaSaysWhatTheReaderReads() throws IOException {
    JsonNode schema = new ObjectMapper().readTree(FILE.toFile());

    compare("", schema, schema, Scenario.class);

    assertThat(differences).isEmpty();
    assertThat(schema.at("/properties/apiVersion/const").asText()).isEqualTo(Scenario.API_VERSION);
    assertThat(schema.at("/properties/kind/const").asText()).isEqualTo(Scenario.KIND);
  }

  private void compare(String path, JsonNode root, JsonNode schema, Class<?> type) {
    expect(path, !schema.path("additionalProperties").asBoolean(true), "refuses other fields");
    Set<String> ofEveryObject = path.isEmpty() ? Set.of("apiVersion", "kind") : Set.of();
    Set<String> known = new TreeSet<>(ofEveryObject);
    Set<String> required = new TreeSet<>(ofEveryObject);
    for (RecordComponent component : type.getRecordComponents()) {
      String at = path + "." + component.getName();
      known.add(component.getName());
      if (isRequired(component)) {
        required.add(component.getName());
      }
      JsonNode property = resolved(root, schema.path("properties").path(component.getName()));
      compareDefault(at, property, component);
      compareValue(at, root, property, component.getGenericType());
    }
    expect(path, names(schema.path("properties").fieldNames()).equals(known), "has " + known);
    Set<String> said = new TreeSet<>();
    schema.path("required").forEach(name -> said.add(name.asText()));
    expect(path, said.equals(required), "requires " + required);
  }

  private static JsonNode resolved(JsonNode root, JsonNode node) {
    return node.has("$ref") ? root.at(node.get("$ref").asText().substring(1)) : node;
  }

  private static boolean isRequired(RecordComponent component) {
    return component.getType() != List.class
        && component.getType() != Map.class
        && !component.isAnnotationPresent(Default.class)
        && !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private void compareDefault(String path, JsonNode property, RecordComponent component) {
    Default initial = component.getAnnotation(Default.class);
    if (initial != null && !initial.value().equals("{}")) {
      expect(
          path,
          property.path("default").asText("?").equals(initial.value()),
          "defaults to " + initial.value());
    } else {
      expect(path, !property.has("default"), "has no default");
    }
  }

  private void compareValue(String path, JsonNode root, JsonNode schema, Type type) {
    if (type instanceof ParameterizedType generic) {
      boolean list = generic.getRawType() == List.class;
      Type[] arguments = generic.getActualTypeArguments();
      expect(path, schema.path("type").asText().equals(list ? "array" : "object"), "is " + type);
      compareValue(
          path + "[]",
          root,
          resolved(root, schema.path(list ? "items" : "additionalProperties")),
          arguments[arguments.length - 1]);
    } else if (type instanceof Class<?> plain) {
      comparePlain(path, root, schema, plain);
    }
  }

  private void comparePlain(String path, JsonNode root, JsonNode schema, Class<?> type) {
    if (type.isRecord() && type.getPackage().equals(Scenario.class.getPackage())) {
      compare(path, root, schema, type);
    } else if (type.isEnum()) {
      List<String> words =
          Stream.of(type.getEnumConstants()).map(word -> ((Spelled) word).text()).toList();
      List<String> said = new ArrayList<>();
      schema.path("enum").forEach(word -> said.add(word.asText()));
      expect(path, said.equals(words), "is one of " + words);
    } else if (type == int.class || type == Integer.class) {
      expect(path, schema.path("type").asText().equals("integer"), "is an integer");
    } else if (type == boolean.class) {
      expect(path, schema.path("type").asText().equals("boolean"), "is true or false");
    } else if (type == String.class) {
      expect(path, schema.path("type").asText().equals("string"), "is a text");
    }
  }

  private static Set<String> names(Iterator<String> fields) {
    Set<String> names = new TreeSet<>();
    fields.forEachRemaining(names::add);
    return names;
  }

  private void expect(String path, boolean holds, String expectation) {
    if (!holds) {
      differences.add((path.isEmpty() ? "the whole" : path) + ": " + expectation);
    }
  }
}
