package dev.sluice.conversion.step;

import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a conversion says of one parent object: the keys, and how their values translate. The law
 * itself is applied here.
 *
 * @param keys the keys of the parent, those of both versions together
 * @param up from the older version's value to the newer's
 * @param down from the newer version's value to the older's
 * @param shorthand a short way to note values of the newer version
 */
record FieldMapping(List<String> keys, Mapping up, Mapping down, Shorthand shorthand) {

  /**
   * What was kept, if it is a value of this conversion or, on the way up, a shorthand for one;
   * otherwise null.
   */
  @Nullable JsonObject read(Json entry, Direction direction) {
    if (!(entry.opened() instanceof JsonObject value)) {
      return null;
    }
    boolean known = shorthand.is(value) ? direction == Direction.UP : isValue(value);
    return known ? value : null;
  }

  /**
   * Makes the parent say at the target what it said at the source.
   *
   * @param kept what was kept when the object came from the target; null if nothing was
   * @return what has to be noted so that the way back is exact; null if nothing has to
   */
  @Nullable JsonObject settle(
      JsonObject holder, @Nullable JsonObject kept, Direction direction, Work work) {
    JsonObject here = valueIn(holder);
    JsonObject before = kept == null ? null : value(kept, here, work);
    if (before != null && Canonical.equal(map(before, direction.reversed(), work), here)) {
      put(holder, before);
      return null;
    }
    JsonObject there = map(here, direction, work);
    put(holder, there);
    return Canonical.equal(map(there, direction.reversed(), work), here)
        ? null
        : toNote(here, there, direction, work);
  }

  private @Nullable JsonObject value(JsonObject kept, JsonObject here, Work work) {
    return shorthand.is(kept) ? shorthand.expand(kept, here, work) : kept;
  }

  private JsonObject toNote(JsonObject here, JsonObject there, Direction direction, Work work) {
    JsonObject brief = direction == Direction.DOWN ? shorthand.shorten(here, there, work) : null;
    return brief == null ? here : brief;
  }

  private JsonObject map(JsonObject value, Direction direction, Work work) {
    return (direction == Direction.UP ? up : down).map(value, work);
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

  private boolean isValue(JsonObject value) {
    for (int i = 0; i < value.size(); i++) {
      if (!keys.contains(value.keyAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Makes the value stand in the holder; a key that comes takes the place of one that goes. */
  private void put(JsonObject holder, JsonObject value) {
    List<String> going = new ArrayList<>(2);
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
}
