package dev.sluice.json;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An opened JSON object: members in their order, found by linear search, since the objects we open
 * have few members. Of those that have many, and in which much is looked for, it keeps an index.
 */
public final class JsonObject implements Json {
  private static final Comparator<String> BY_CODE_POINT = Canonical.BY_CODE_POINT;
  private static final int MANY = 64;
  private static final int FIRST_ROOM = 8;
  private static final String[] NO_KEYS = {};
  private static final Json[] NO_VALUES = {};

  private String[] keys;
  private Json[] values;
  private int size;
  private int searches;
  private @Nullable Map<String, Integer> index;

  /** An object without members. */
  public JsonObject() {
    this.keys = NO_KEYS;
    this.values = NO_VALUES;
  }

  /** The number of members. */
  public int size() {
    return size;
  }

  /** The key of the member at this index. */
  public String keyAt(int index) {
    return keys[checked(index)];
  }

  /** The value of the member at this index, as it stands (perhaps not opened). */
  public Json valueAt(int index) {
    return values[checked(index)];
  }

  /** Whether there is a member of this key, null values included. */
  public boolean has(String key) {
    return indexOf(key) >= 0;
  }

  /** The value as it stands (perhaps not opened), or null if there is no such member. */
  public @Nullable Json get(String key) {
    int index = indexOf(key);
    return index < 0 ? null : values[index];
  }

  /**
   * The value with one level of it opened, or null if there is no such member; this object holds
   * the opened value from now on.
   */
  public @Nullable Json open(String key) {
    int index = indexOf(key);
    if (index < 0) {
      return null;
    }
    values[index] = values[index].opened();
    return values[index];
  }

  /** The member of this key if it is an object, otherwise null. */
  public @Nullable JsonObject object(String key) {
    return open(key) instanceof JsonObject object ? object : null;
  }

  /** The member of this key if it is a list, otherwise null. */
  public @Nullable JsonArray array(String key) {
    return open(key) instanceof JsonArray array ? array : null;
  }

  /** The member of this key if it is a string, otherwise null. */
  public @Nullable String text(String key) {
    return get(key) instanceof JsonSlice slice ? slice.text() : null;
  }

  /** Sets the member of this key: in place if there is one, otherwise as the last one. */
  public void put(String key, Json value) {
    int index = indexOf(key);
    if (index >= 0) {
      values[index] = value;
    } else {
      insert(size, key, value);
    }
  }

  /**
   * Adds a member where it belongs: at its place if the keys stand in sorted order (as the API
   * server sends them), otherwise as the last one. A key that is there already is set in place.
   */
  public void putSorted(String key, Json value) {
    int index = indexOf(key);
    if (index >= 0) {
      values[index] = value;
    } else {
      insert(placeOf(key), key, value);
    }
  }

  /** Gives the member of the one key another key and value, at the same place. */
  public void replace(String key, String newKey, Json value) {
    int index = indexOf(key);
    if (index < 0) {
      throw new IllegalArgumentException(key + " (expected: a member of this object)");
    }
    keys[index] = newKey;
    values[index] = value;
    this.index = null;
  }

  /** Removes the member of this key and returns its value, or null if there was none. */
  public @Nullable Json remove(String key) {
    int index = indexOf(key);
    if (index < 0) {
      return null;
    }
    Json removed = values[index];
    System.arraycopy(keys, index + 1, keys, index, size - index - 1);
    System.arraycopy(values, index + 1, values, index, size - index - 1);
    size--;
    this.index = null;
    return removed;
  }

  @Override
  public Type type() {
    return Type.OBJECT;
  }

  @Override
  public Json opened() {
    return this;
  }

  @Override
  public void writeTo(JsonOutput out) {
    out.write('{');
    for (int i = 0; i < size; i++) {
      if (i > 0) {
        out.write(',');
      }
      out.writeText(keys[i]);
      out.write(':');
      values[i].writeTo(out);
    }
    out.write('}');
  }

  @Override
  public String toString() {
    return Canonical.text(this);
  }

  /** Appends a member without looking for one of the same key. */
  void append(String key, Json value) {
    insert(size, key, value);
  }

  private int placeOf(String key) {
    int place = size;
    for (int i = 0; i < size; i++) {
      if (i > 0 && BY_CODE_POINT.compare(keys[i - 1], keys[i]) > 0) {
        return size; // not sorted: no place is more right than the last
      }
      if (place == size && BY_CODE_POINT.compare(keys[i], key) > 0) {
        place = i;
      }
    }
    return place;
  }

  private void insert(int index, String key, Json value) {
    if (size == keys.length) {
      int larger = Math.max(FIRST_ROOM, size * 2);
      keys = Arrays.copyOf(keys, larger);
      values = Arrays.copyOf(values, larger);
    }
    System.arraycopy(keys, index, keys, index + 1, size - index);
    System.arraycopy(values, index, values, index + 1, size - index);
    keys[index] = key;
    values[index] = value;
    size++;
    if (this.index != null && index == size - 1) {
      this.index.put(key, index);
    } else {
      this.index = null;
    }
  }

  /** The index of the member of this key, or -1 if there is none. */
  public int indexOf(String key) {
    if (size > MANY && (index != null || ++searches > MANY)) {
      return indexed(key);
    }
    for (int i = 0; i < size; i++) {
      if (keys[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  private int indexed(String key) {
    if (index == null) {
      index = HashMap.newHashMap(size);
      for (int i = 0; i < size; i++) {
        index.put(keys[i], i);
      }
    }
    return index.getOrDefault(key, -1);
  }

  private int checked(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(index + " (expected: less than " + size + ")");
    }
    return index;
  }
}
