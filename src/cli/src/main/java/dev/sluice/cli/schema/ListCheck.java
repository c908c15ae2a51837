package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds what stands twice in sets and list maps. */
final class ListCheck {
  private final List<Fault> faults;

  /** A check that adds what it finds to this list. */
  ListCheck(List<Fault> faults) {
    this.faults = faults;
  }

  /** Checks a value and what is below. */
  void check(Schema schema, JsonNode value, String path) {
    if (!schema.hasUniqueLists()) {
      return;
    }
    if (value.isArray()) {
      checkList(schema, value, path);
    } else if (value.isObject()) {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        Schema known = schema.member(member.getKey());
        if (known != null) {
          boolean named = schema.properties().containsKey(member.getKey());
          String name = member.getKey();
          check(known, member.getValue(), named ? Path.member(path, name) : Path.entry(path, name));
        }
      }
    }
  }

  private void checkList(Schema schema, JsonNode list, String path) {
    if (schema.listType().equals("set")) {
      checkSet(list, path);
    } else if (schema.listType().equals("map")) {
      checkKeys(schema.listKeys(), list, path);
    }
    Schema items = schema.items();
    for (int i = 0; items != null && i < list.size(); i++) {
      check(items, list.get(i), Path.item(path, i));
    }
  }

  private void checkSet(JsonNode list, String path) {
    Set<JsonNode> seen = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      if (!seen.add(list.get(i))) {
        faults.add(Fault.duplicate(Path.item(path, i), list.get(i)));
      }
    }
  }

  private void checkKeys(List<String> keys, JsonNode list, String path) {
    if (!allObjects(list)) {
      return; // an item of the wrong type is a fault already, and has no keys to compare
    }
    Set<List<JsonNode>> seen = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      if (!seen.add(OldItems.keysOf(keys, list.get(i)))) {
        faults.add(Fault.duplicate(Path.item(path, i), keysAsObject(keys, list.get(i))));
      }
    }
  }

  private static boolean allObjects(JsonNode list) {
    for (JsonNode item : list) {
      if (!item.isObject() && !item.isNull()) {
        return false;
      }
    }
    return true;
  }

  private static JsonNode keysAsObject(List<String> keys, JsonNode item) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (String key : keys) {
      if (item.has(key)) {
        object.set(key, item.get(key));
      }
    }
    return object;
  }
}
