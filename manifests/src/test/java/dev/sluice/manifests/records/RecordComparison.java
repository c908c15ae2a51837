package dev.sluice.manifests.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.meta.Property;
import dev.sluice.api.meta.Spelled;
import dev.sluice.api.pod.PodTemplate;
import dev.sluice.api.read.HubObjects;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every difference between a schema and the record that objects of this schema are read as, each
 * with the path of the field. Both say the same fields, unless the record is declared to be a part
 * of what the schema has.
 */
final class RecordComparison {
  /** What the API server keeps for every object; the record of a kind has it beside its fields. */
  private static final Set<String> TYPE_FIELDS = Set.of("apiVersion", "kind");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> differences = new ArrayList<>();

  private RecordComparison() {}

  static List<String> ofKind(JsonNode schema, Class<?> type) {
    var comparison = new RecordComparison();
    comparison.compareFields("", schema, type, Coverage.KIND);
    return comparison.differences;
  }

  /** How many of the fields of a schema a record has. */
  private enum Coverage {
    /** All, but for those that every object has. */
    KIND,
    ALL,
    /** Those that decisions read. */
    PART
  }

  private void compareFields(String path, JsonNode schema, Class<?> type, Coverage coverage) {
    Set<String> components = new LinkedHashSet<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String name = name(component);
      components.add(name);
      JsonNode property = schema.path("properties").path(name);
      String at = path.isEmpty() ? name : path + "." + name;
      if (component.getType() == ObjectMeta.class) {
        compareInitial(at, "{}", component);
      } else if (property.isMissingNode()) {
        differences.add(at + ": not in the schema");
      } else {
        compareAbsence(at, schema, property, component, coverage);
        compareValue(at, property, component.getGenericType(), coverage);
      }
    }
    if (coverage != Coverage.PART) {
      schema
          .path("properties")
          .fieldNames()
          .forEachRemaining(name -> reportUnread(path, name, components, coverage));
    }
  }

  private void reportUnread(String path, String name, Set<String> components, Coverage coverage) {
    boolean everyObjectHasIt = coverage == Coverage.KIND && TYPE_FIELDS.contains(name);
    if (!components.contains(name) && !everyObjectHasIt) {
      differences.add((path.isEmpty() ? name : path + "." + name) + ": not in the record");
    }
  }

  private static String name(RecordComponent component) {
    Property property = component.getAnnotation(Property.class);
    return property == null ? component.getName() : property.value();
  }

  private void compareAbsence(
      String path,
      JsonNode schema,
      JsonNode property,
      RecordComponent component,
      Coverage coverage) {
    boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    Default initial = component.getAnnotation(Default.class);
    if (property.has("default")) {
      compareDefault(path, property.get("default"), component, initial);
    } else if (isRequired(schema, component)) {
      expect(path, !nullable && initial == null, "is required, so it is neither null nor default");
    } else if (isCollection(component) || isHalf(component, coverage)) {
      expect(path, !nullable, "is never null");
    } else {
      expect(path, nullable && initial == null, "may be left out, so it is null then");
    }
  }

  private static boolean isRequired(JsonNode schema, RecordComponent component) {
    for (JsonNode name : schema.path("required")) {
      if (name.asText().equals(name(component))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isCollection(RecordComponent component) {
    return component.getType() == List.class || component.getType() == Map.class;
  }

  /**
   * The spec or the status of an object, or a part of a pod: an object without it has an empty one.
   */
  private static boolean isHalf(RecordComponent component, Coverage coverage) {
    Default initial = component.getAnnotation(Default.class);
    return coverage != Coverage.ALL && initial != null && initial.value().equals("{}");
  }

  private void compareDefault(
      String path, JsonNode expected, RecordComponent component, @Nullable Default initial) {
    if (initial == null) {
      differences.add(path + ": has the default " + expected + " in the schema, none here");
    } else if (component.getType().isRecord()) {
      Object ours = HubObjects.read(component.getType(), JSON.createObjectNode());
      Object theirs = HubObjects.read(component.getType(), expected);
      expect(path, initial.value().equals("{}") && ours.equals(theirs), "defaults to " + theirs);
    } else {
      compareInitial(path, expected.asText(), component);
    }
  }

  private void compareInitial(String path, String expected, RecordComponent component) {
    Default initial = component.getAnnotation(Default.class);
    expect(path, initial != null && initial.value().equals(expected), "defaults to " + expected);
  }

  private void compareValue(String path, JsonNode schema, Type type, Coverage coverage) {
    switch (schema.path("type").asText()) {
      case "array" -> compareList(path, schema, type, coverage);
      case "object" -> compareObject(path, schema, type, coverage);
      default -> expectOneOf(path, scalars(schema), schema, type);
    }
  }

  private void compareList(String path, JsonNode schema, Type type, Coverage coverage) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      compareValue(
          path + "[]", schema.path("items"), list.getActualTypeArguments()[0], inner(coverage));
    } else {
      differences.add(path + ": is a list, not " + type.getTypeName());
    }
  }

  private void compareObject(String path, JsonNode schema, Type type, Coverage coverage) {
    if (schema.has("additionalProperties")) {
      compareMap(path, schema.path("additionalProperties"), type);
    } else if (type instanceof Class<?> plain && plain.isRecord()) {
      compareFields(
          path, schema, plain, plain == PodTemplate.class ? Coverage.PART : inner(coverage));
    } else {
      differences.add(path + ": is an object, not " + type.getTypeName());
    }
  }

  private void compareMap(String path, JsonNode values, Type type) {
    if (type instanceof ParameterizedType map && map.getRawType() == Map.class) {
      expect(path, map.getActualTypeArguments()[0] == String.class, "has texts for keys");
      compareValue(path + "{}", values, map.getActualTypeArguments()[1], Coverage.ALL);
    } else {
      differences.add(path + ": is a map, not " + type.getTypeName());
    }
  }

  private static Coverage inner(Coverage coverage) {
    return coverage == Coverage.KIND ? Coverage.ALL : coverage;
  }

  private static List<Class<?>> scalars(JsonNode schema) {
    if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
      return List.of(Quantity.class);
    }
    return switch (schema.path("type").asText() + " " + schema.path("format").asText()) {
      case "integer int64" -> List.of(long.class, Long.class);
      case "integer int32", "integer " -> List.of(int.class, Integer.class);
      case "boolean " -> List.of(boolean.class, Boolean.class);
      case "string date-time" -> List.of(Instant.class);
      case "string " -> List.of(String.class);
      default -> List.of();
    };
  }

  private void expectOneOf(String path, List<Class<?>> scalars, JsonNode schema, Type type) {
    if (type instanceof Class<?> plain && plain.isEnum()) {
      expect(path, words(plain).equals(words(schema)), "is one of " + words(schema));
    } else {
      expect(path, !schema.has("enum"), "is one of " + words(schema));
      expect(path, scalars.contains(type), "is " + scalars + ", not " + type.getTypeName());
    }
  }

  private static Set<String> words(Class<?> type) {
    Set<String> words = new LinkedHashSet<>();
    Stream.of(type.getEnumConstants()).forEach(word -> words.add(((Spelled) word).text()));
    return words;
  }

  private static Set<String> words(JsonNode schema) {
    Set<String> words = new LinkedHashSet<>();
    schema.path("enum").forEach(word -> words.add(word.asText()));
    return words;
  }

  private void expect(String path, boolean holds, String expectation) {
    if (!holds) {
      differences.add(path + ": " + expectation);
    }
  }
}
