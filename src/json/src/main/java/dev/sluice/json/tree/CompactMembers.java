package dev.sluice.json.tree;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object in two arrays, the first shared by all objects with the same keys: about
 * a quarter of what a hash map takes. Looks a key up by going through them, so it is for objects
 * with few. Unmodifiable; keeps the order.
 */
final class CompactMembers extends AbstractMap<String, JsonNode> {
  private final String[] keys;
  private final JsonNode[] values;

  CompactMembers(String[] keys, JsonNode[] values) {
    this.keys = keys;
    this.values = values;
  }

  @Override
  public int size() {
    return values.length;
  }

  /** Compares hashes first: a string knows its own, and most keys on the way are others. */
  @Override
  public @Nullable JsonNode get(@Nullable Object key) {
    if (key == null) {
      return null;
    }
    int hash = key.hashCode();
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].hashCode() == hash && keys[i].equals(key)) {
        return values[i];
      }
    }
    return null;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public Set<Map.Entry<String, JsonNode>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<String, JsonNode>> {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public Iterator<Map.Entry<String, JsonNode>> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < values.length;
        }

        @Override
        public Map.Entry<String, JsonNode> next() {
          if (next >= values.length) {
            throw new NoSuchElementException("no more members");
          }
          return Map.entry(keys[next], values[next++]);
        }
      };
    }
  }
}
