package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes of an object what an API server makes of it when it reads it: numbers become 64-bit
 * integers or doubles, members without a schema are dropped, nulls count as absent, and defaults
 * are written. For one object.
 */
final class Reading {
  /** Doubles up to this are the same as integers; beyond it, neighbours are more than 1 apart. */
  private static final double MOST_EXACT = (1L << 53) - 1;

  private final List<UnknownField> unknown = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();

  List<UnknownField> unknown() {
    return List.copyOf(unknown);
  }

  /** Numbers that are beyond what the API server can hold. */
  List<Fault> faults() {
    return List.copyOf(faults);
  }

  /** A copy of the root of an object; its metadata, which has no schema, is kept as it is. */
  ObjectNode root(Schema schema, JsonNode object) {
    findTooLarge(object, "");
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (member.getKey().equals("metadata")) {
        copy.set("metadata", member.getValue().deepCopy());
      } else {
        readMember(schema, member, "", copy);
      }
    }
    addDefaults(schema, copy);
    return copy;
  }

  /** Such a number is refused everywhere, also in an unknown member. */
  private void findTooLarge(JsonNode value, String path) {
    if (value.isObject()) {
      value
          .properties()
          .forEach(member -> findTooLarge(member.getValue(), Path.member(path, member.getKey())));
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        findTooLarge(value.get(i), Path.item(path, i));
      }
    } else if (value.isNumber() && Double.isInfinite(value.doubleValue())) {
      faults.add(Fault.wrongType(path, value, "a number of at most 64 bits"));
    }
  }

  private void readMember(
      Schema schema, Map.Entry<String, JsonNode> member, String parent, ObjectNode to) {
    String path = Path.member(parent, member.getKey());
    Schema known = schema.member(member.getKey());
    if (known != null) {
      if (!member.getValue().isNull()) {
        to.set(member.getKey(), read(known, member.getValue(), path));
      }
    } else if (schema.preservesUnknownFields()) {
      to.set(member.getKey(), member.getValue().deepCopy());
    } else {
      unknown.add(UnknownField.of(path, member.getKey(), schema.properties().keySet()));
    }
  }

  private JsonNode read(Schema schema, JsonNode value, String path) {
    if (value.isObject() && schema.type() == Schema.Type.OBJECT) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      value.properties().forEach(member -> readMember(schema, member, path, copy));
      addDefaults(schema, copy);
      return copy;
    }
    Schema items = schema.items();
    if (value.isArray() && items != null) {
      return readItems(items, value, path);
    }
    return value.isNumber() ? number(value) : value.deepCopy();
  }

  private ArrayNode readItems(Schema schema, JsonNode list, String path) {
    ArrayNode copy = JsonNodeFactory.instance.arrayNode(list.size());
    for (int i = 0; i < list.size(); i++) {
      JsonNode fallback = schema.defaultValue();
      JsonNode item = list.get(i).isNull() && fallback != null ? fallback : list.get(i);
      copy.add(read(schema, item, Path.item(path, i)));
    }
    return copy;
  }

  private void addDefaults(Schema schema, ObjectNode object) {
    schema
        .properties()
        .forEach(
            (name, member) -> {
              JsonNode fallback = defaultOf(member);
              if (fallback != null && !object.has(name)) {
                object.set(name, fallback);
              }
            });
  }

  /** The default of a member, with the defaults that belong into it. */
  private @Nullable JsonNode defaultOf(Schema schema) {
    JsonNode fallback = schema.defaultValue();
    return fallback == null ? null : read(schema, fallback, "");
  }

  private JsonNode number(JsonNode value) {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return LongNode.valueOf(value.longValue());
    }
    double number = value.doubleValue();
    boolean whole = number == Math.rint(number) && Math.abs(number) <= MOST_EXACT;
    return whole ? LongNode.valueOf((long) number) : DoubleNode.valueOf(number);
  }
}
