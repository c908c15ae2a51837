package dev.sluice.conversion.step;

import static java.util.Objects.requireNonNull;

import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FieldConversion} that arises in each item of a list. Its entry holds a value for each
 * item, under the item's name if that is a unique string that does not begin with {@code #},
 * otherwise under {@code #} and its index.
 *
 * @param name the name of the entry in the annotation
 * @param list the keys that lead from the root to the list
 * @param parent the key of the parent object in an item
 * @param keys the keys of the parent that this conversion is about
 * @param up the value at the newer version for one at the older
 * @param down the value at the older version for one at the newer
 * @param shorthand a short way to note values of the newer version
 */
public record ListItemConversion(
    String name,
    List<String> list,
    String parent,
    List<String> keys,
    Mapping up,
    Mapping down,
    Shorthand shorthand)
    implements Difference {
  public ListItemConversion {
    requireNonNull(name, "name");
    list = List.copyOf(list);
    requireNonNull(parent, "parent");
    keys = List.copyOf(keys);
  }

  @Override
  public void convert(JsonObject root, Direction direction, ConversionContext context) {
    Json entry = context.kept(name, false);
    JsonObject kept = entry != null && entry.opened() instanceof JsonObject object ? object : null;
    if (entry != null && kept == null) {
      context.ignored(name);
    }
    JsonArray items = find(root);
    if (items == null) {
      return;
    }
    JsonObject toNote = convert(items, kept, direction, context);
    if (toNote.size() > 0) {
      context.note(name, toNote, false);
    }
  }

  @Override
  public Optional<Description> description() {
    String path = String.join(".", list) + "[]." + parent;
    return Optional.of(new Description(name, path, keys, Description.REBUILT, false));
  }

  private JsonObject convert(
      JsonArray items, @Nullable JsonObject kept, Direction direction, ConversionContext context) {
    FieldMapping mapping = new FieldMapping(keys, up, down, shorthand);
    JsonObject toNote = new JsonObject();
    Set<String> repeated = repeatedNames(items);
    for (int i = 0; i < items.size(); i++) {
      JsonObject holder = items.open(i) instanceof JsonObject item ? item.object(parent) : null;
      if (holder != null) {
        String key = key(items, i, repeated);
        JsonObject before = kept == null ? null : kept(kept, key, i, mapping, direction, context);
        JsonObject value = settle(mapping, holder, before, i, direction, context.work());
        if (value != null) {
          toNote.put(key, value);
        }
      }
    }
    return toNote;
  }

  private @Nullable JsonObject settle(
      FieldMapping mapping,
      JsonObject holder,
      @Nullable JsonObject before,
      int index,
      Direction direction,
      Work work) {
    try {
      work.goOn();
      return mapping.settle(holder, before, direction, work);
    } catch (WorkStopped e) {
      throw e.at("%s[%d].%s".formatted(String.join(".", list), index, parent));
    } finally {
      work.itemDone();
    }
  }

  private @Nullable JsonObject kept(
      JsonObject kept,
      String key,
      int index,
      FieldMapping mapping,
      Direction direction,
      ConversionContext context) {
    Json entry = kept.get(key);
    if (entry == null) {
      entry = kept.get("#" + index);
    }
    JsonObject value = entry == null ? null : mapping.read(entry, direction);
    if (entry != null && value == null) {
      context.ignored(name);
    }
    return value;
  }

  private @Nullable JsonArray find(JsonObject root) {
    JsonObject at = root;
    for (String key : list.subList(0, list.size() - 1)) {
      at = at.object(key);
      if (at == null) {
        return null;
      }
    }
    return at.array(list.getLast());
  }

  private static String key(JsonArray items, int index, Set<String> repeated) {
    String name = nameAt(items, index);
    return name == null || name.startsWith("#") || repeated.contains(name) ? "#" + index : name;
  }

  private static @Nullable String nameAt(JsonArray items, int index) {
    return items.open(index) instanceof JsonObject item ? item.text("name") : null;
  }

  private static Set<String> repeatedNames(JsonArray items) {
    if (items.size() < 2) {
      return Set.of();
    }
    Map<String, Integer> seen = new HashMap<>();
    Set<String> repeated = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      String name = nameAt(items, i);
      if (name != null && seen.put(name, i) != null) {
        repeated.add(name);
      }
    }
    return repeated;
  }
}
