package dev.sluice.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Unknown fields of a scenario. A misspelled word in an expectation would otherwise expect nothing,
 * and the test would pass.
 */
final class UnknownFields {
  private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind");

  private final List<String> found = new ArrayList<>();

  private UnknownFields() {}

  /** The path of each field that the records of scenarios do not have. */
  static List<String> find(JsonNode scenario) {
    var unknown = new UnknownFields();
    unknown.check("", scenario, Scenario.class);
    return unknown.found;
  }

  private void check(String path, JsonNode node, Type type) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      for (int i = 0; i < node.size(); i++) {
        check(path + "[" + i + "]", node.path(i), list.getActualTypeArguments()[0]);
      }
    } else if (type instanceof Class<?> plain && isOfScenarios(plain)) {
      checkFields(path, node, plain);
    }
  }

  /** The records of the API are lenient: objects may have fields of newer versions. */
  private static boolean isOfScenarios(Class<?> type) {
    return type.isRecord() && type.getPackage().equals(Scenario.class.getPackage());
  }

  private void checkFields(String path, JsonNode node, Class<?> type) {
    Map<String, Type> known = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      known.put(component.getName(), component.getGenericType());
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
      Type expected = known.get(field.getKey());
      if (expected != null) {
        check(at, field.getValue(), expected);
      } else if (!path.isEmpty() || !OF_EVERY_OBJECT.contains(field.getKey())) {
        found.add(at + ": not a field (expected: " + String.join(", ", known.keySet()) + ")");
      }
    }
  }
}
