package dev.sluice.quota.persistent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several values for each key, in their natural order; forked in O(1), as a {@link ForkableMap} is.
 * A change costs the logarithm of the key's values. For one thread, but a fork may be passed to
 * another one.
 */
public final class ForkableIndex<K, V extends Comparable<? super V>> {
  private final ForkableMap<K, PersistentMap<V, V>> values;

  /** An empty index. */
  public ForkableIndex() {
    this(new ForkableMap<>());
  }

  private ForkableIndex(ForkableMap<K, PersistentMap<V, V>> values) {
    this.values = values;
  }

  /** An index of its own with the same content. */
  public ForkableIndex<K, V> fork() {
    return new ForkableIndex<>(values.fork());
  }

  public void add(K key, V value) {
    PersistentMap<V, V> own = values.getOrDefault(key, PersistentMap.<V, V>empty());
    if (!own.containsKey(value)) {
      values.put(key, own.with(value, value));
    }
  }

  /** Removes the value of the key; whether it was there. */
  public boolean remove(K key, V value) {
    PersistentMap<V, V> own = values.get(key);
    if (own == null || !own.containsKey(value)) {
      return false;
    }
    PersistentMap<V, V> rest = own.without(value);
    if (rest.isEmpty()) {
      values.remove(key);
    } else {
      values.put(key, rest);
    }
    return true;
  }

  /** Removes the key; answers its values in order. */
  public List<V> removeAll(K key) {
    return list(values.remove(key));
  }

  public boolean contains(K key, V value) {
    PersistentMap<V, V> own = values.get(key);
    return own != null && own.containsKey(value);
  }

  public boolean containsKey(K key) {
    return values.containsKey(key);
  }

  /** The values of the key in order; a copy. */
  public List<V> of(K key) {
    return list(values.get(key));
  }

  /** The keys that have values, in no particular order; a copy. */
  public List<K> keys() {
    List<K> keys = new ArrayList<>();
    values.forEach((key, _) -> keys.add(key));
    return keys;
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  private static <V> List<V> list(@Nullable PersistentMap<V, V> own) {
    if (own == null) {
      return List.of();
    }
    List<V> list = new ArrayList<>(own.size());
    own.keys().forEach(list::add);
    return list;
  }
}
