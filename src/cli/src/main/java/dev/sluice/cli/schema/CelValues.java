package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.cel.ReservedWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Values as rules in CEL see them: objects and maps are maps, of which {@code has} knows what is
 * there. Of the metadata of an object they see the name only, as in the API server. Names that CEL
 * cannot write are escaped the way Kubernetes does.
 */
final class CelValues {
  private static final Set<String> LITERALS = Set.of("true", "false", "null");
  private static final List<String> VISIBLE_METADATA = List.of("name", "generateName");

  private CelValues() {}

  /** The whole object. */
  static Map<String, Object> ofRoot(Schema schema, JsonNode object) {
    Map<String, Object> members = members(schema, object);
    Map<String, Object> metadata = new HashMap<>();
    for (String name : VISIBLE_METADATA) {
      JsonNode value = object.path("metadata").path(name);
      if (value.isTextual()) {
        metadata.put(name, value.textValue());
      }
    }
    members.put("metadata", metadata);
    return members;
  }

  /** A value that the schema admits. */
  static Object of(Schema schema, JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> members(schema, value);
      case ARRAY -> items(schema, value);
      case NUMBER -> number(value);
      case BOOLEAN -> value.booleanValue();
      default -> value.asText();
    };
  }

  private static Map<String, Object> members(Schema schema, JsonNode object) {
    Map<String, Object> members = new HashMap<>();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String name = member.getKey();
      Schema known = schema.member(name);
      if (known != null) {
        boolean chosen = !schema.properties().containsKey(name);
        members.put(chosen ? name : escape(name), of(known, member.getValue()));
      }
    }
    return members;
  }

  private static List<Object> items(Schema schema, JsonNode list) {
    List<Object> items = new ArrayList<>(list.size());
    Schema ofItems = schema.items();
    if (ofItems != null) {
      list.forEach(item -> items.add(of(ofItems, item)));
    }
    return items;
  }

  private static Object number(JsonNode value) {
    return value.isIntegralNumber() ? (Object) value.longValue() : (Object) value.doubleValue();
  }

  static String escape(String name) {
    if (LITERALS.contains(name) || ReservedWords.include(name)) {
      return "__" + name + "__";
    }
    return name.replace("__", "__underscores__")
        .replace(".", "__dot__")
        .replace("-", "__dash__")
        .replace("/", "__slash__");
  }
}
