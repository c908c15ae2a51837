package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which item of a stored list an item of the new one replaces: the one with the same keys in a list
 * map, and none in other lists, unless the list is as it was.
 */
final class OldItems {
  private static final OldItems NONE = new OldItems(null, List.of(), Map.of());

  private final @Nullable JsonNode same;
  private final List<String> keys;
  private final Map<List<JsonNode>, JsonNode> byKeys;

  private OldItems(
      @Nullable JsonNode same, List<String> keys, Map<List<JsonNode>, JsonNode> byKeys) {
    this.same = same;
    this.keys = keys;
    this.byKeys = byKeys;
  }

  static OldItems of(Schema schema, JsonNode list, @Nullable JsonNode old) {
    if (old == null || !old.isArray()) {
      return NONE;
    }
    if (list.equals(old)) {
      return new OldItems(old, List.of(), Map.of());
    }
    List<String> keys = schema.listKeys();
    if (keys.isEmpty()) {
      return NONE;
    }
    Map<List<JsonNode>, JsonNode> byKeys = new HashMap<>();
    old.forEach(item -> byKeys.putIfAbsent(keysOf(keys, item), item));
    return new OldItems(null, keys, byKeys);
  }

  @Nullable JsonNode of(int index, JsonNode item) {
    return same != null ? same.get(index) : byKeys.get(keysOf(keys, item));
  }

  /** What the item has at these keys. */
  static List<JsonNode> keysOf(List<String> keys, JsonNode item) {
    List<JsonNode> values = new ArrayList<>(keys.size());
    keys.forEach(key -> values.add(item.path(key)));
    return values;
  }
}
