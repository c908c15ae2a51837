package dev.sluice.conversion.law;

import static java.util.Objects.requireNonNull;

import dev.sluice.conversion.json.Canonical;
import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A difference that the law of conversion settles: a name, one parent object in the tree, a few
 * keys of that parent (those of both versions together), and two functions between their values.
 *
 * <p>The law, from version S to T, with {@code a} for the value that stands in the object: if a
 * value {@code k} was kept for this matter when the object came from T, and {@code k} towards S is
 * {@code a}, then the result is {@code k}, for nobody touched what it stands for. Otherwise the
 * result is {@code b}, which is {@code a} towards T; and if {@code b} back towards S is not {@code
 * a}, then {@code a} is noted. So S to T to S is the identity on every input, and what somebody
 * changed at T wins over what was kept.
 *
 * @param name the name of the entry in the annotation
 * @param parent the keys that lead from the root to the parent object
 * @param keys the keys of the parent that this matter is about
 * @param up the value at the newer version for one at the older
 * @param down the value at the older version for one at the newer
 * @param derived whether the value is status that controllers rebuild, so that a kept one must not
 *     outlive the status it belongs to
 */
public record Matter(
    String name, List<String> parent, List<String> keys, Mapping up, Mapping down, boolean derived)
    implements Difference {
  public Matter {
    requireNonNull(name, "name");
    parent = List.copyOf(parent);
    keys = List.copyOf(keys);
    requireNonNull(up, "up");
    requireNonNull(down, "down");
  }

  /** A key that the newer version names differently; its value moves, whatever it is. */
  public static Matter renamed(String name, List<String> parent, String older, String newer) {
    return new Matter(
        name, parent, List.of(older, newer), rename(older, newer), rename(newer, older), false);
  }

  /** A key of the status that only the older version has. */
  public static Matter derivedOnlyInOlder(String name, List<String> parent) {
    return new Matter(name, parent, List.of(name), _ -> new JsonObject(), v -> v, true);
  }

  @Override
  public void convert(JsonObject root, Direction direction, Exchange exchange) {
    JsonObject holder = find(root);
    if (holder == null) {
      return;
    }
    JsonObject here = valueIn(holder);
    JsonObject kept = kept(exchange);
    if (kept != null && Canonical.equal(map(kept, direction.reversed()), here)) {
      put(holder, kept);
      return;
    }
    JsonObject there = map(here, direction);
    if (!Canonical.equal(map(there, direction.reversed()), here)) {
      exchange.note(name, here, derived);
    }
    put(holder, there);
  }

  private JsonObject map(JsonObject value, Direction direction) {
    return (direction == Direction.UP ? up : down).map(value);
  }

  private @Nullable JsonObject find(JsonObject root) {
    JsonObject at = root;
    for (String key : parent) {
      at = at.object(key);
      if (at == null) {
        return null;
      }
    }
    return at;
  }

  private JsonObject valueIn(JsonObject holder) {
    JsonObject value = new JsonObject();
    for (String key : keys) {
      Json member = holder.get(key);
      if (member != null) {
        value.put(key, member);
      }
    }
    return value;
  }

  private @Nullable JsonObject kept(Exchange exchange) {
    Json entry = exchange.kept(name, derived);
    if (entry == null) {
      return null;
    }
    if (entry.opened() instanceof JsonObject value && hasOnlyOurKeys(value)) {
      return value;
    }
    exchange.ignored(name);
    return null;
  }

  private boolean hasOnlyOurKeys(JsonObject value) {
    for (int i = 0; i < value.size(); i++) {
      if (!keys.contains(value.keyAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Makes the value stand in the holder; a key that comes takes the place of one that goes. */
  private void put(JsonObject holder, JsonObject value) {
    List<String> going = new ArrayList<>();
    for (String key : keys) {
      if (holder.has(key) && !value.has(key)) {
        going.add(key);
      }
    }
    for (int i = 0; i < value.size(); i++) {
      String key = value.keyAt(i);
      if (holder.has(key)) {
        holder.put(key, value.valueAt(i));
      } else if (!going.isEmpty()) {
        holder.replace(going.removeFirst(), key, value.valueAt(i));
      } else {
        holder.putSorted(key, value.valueAt(i));
      }
    }
    going.forEach(holder::remove);
  }

  private static Mapping rename(String from, String to) {
    return value -> {
      Json own = value.get(from);
      if (own == null) {
        return value; // empty, or a key of the target's that strayed in: it stays
      }
      JsonObject renamed = new JsonObject();
      renamed.put(to, own);
      return renamed;
    };
  }
}
