package dev.sluice.quota.persistent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Several values for each key, in their natural order; forked as a {@link ForkableMap} is: the
 * first fork costs O(n), each further one O(1). A change costs the logarithm of the key's values.
 * For one thread, but a fork may be passed to another one.
 */
public final class ForkableIndex<K, V extends Comparable<? super V>> {
  /** The content until the first fork; null from then on. */
  private @Nullable HashMap<K, Set<V>> unforked;

  private final ForkableMap<K, PersistentMap<V, V>> values;

  /** An empty index. */
  public ForkableIndex() {
    this(new ForkableMap<>());
    this.unforked = new HashMap<>();
  }

  private ForkableIndex(ForkableMap<K, PersistentMap<V, V>> values) {
    this.values = values;
  }

  /** An index of its own with the same content. */
  public ForkableIndex<K, V> fork() {
    HashMap<K, Set<V>> content = unforked;
    if (content != null) {
      unforked = null;
      content.forEach((key, all) -> all.forEach(value -> add(key, value)));
    }
    return new ForkableIndex<>(values.fork());
  }

  public void add(K key, V value) {
    HashMap<K, Set<V>> content = unforked;
    if (content != null) {
      content.computeIfAbsent(key, _ -> new HashSet<>()).add(value);
      return;
    }
    PersistentMap<V, V> own = values.getOrDefault(key, PersistentMap.<V, V>empty());
    if (!own.containsKey(value)) {
      values.put(key, own.with(value, value));
    }
  }

  /** Removes the value of the key; whether it was there. */
  public boolean remove(K key, V value) {
    HashMap<K, Set<V>> content = unforked;
    return content != null ? remove(content, key, value) : removeShared(key, value);
  }

  private static <K, V> boolean remove(Map<K, Set<V>> content, K key, V value) {
    Set<V> own = content.get(key);
    if (own == null || !own.remove(value)) {
      return false;
    }
    if (own.isEmpty()) {
      content.remove(key);
    }
    return true;
  }

  private boolean removeShared(K key, V value) {
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
    HashMap<K, Set<V>> content = unforked;
    return content != null ? sorted(content.remove(key)) : list(values.remove(key));
  }

  public boolean contains(K key, V value) {
    HashMap<K, Set<V>> content = unforked;
    if (content != null) {
      Set<V> own = content.get(key);
      return own != null && own.contains(value);
    }
    PersistentMap<V, V> own = values.get(key);
    return own != null && own.containsKey(value);
  }

  public boolean containsKey(K key) {
    HashMap<K, Set<V>> content = unforked;
    return content != null ? content.containsKey(key) : values.containsKey(key);
  }

  /** The values of the key in order; a copy. */
  public List<V> of(K key) {
    HashMap<K, Set<V>> content = unforked;
    return content != null ? sorted(content.get(key)) : list(values.get(key));
  }

  /** The keys that have values, in no particular order; a copy. */
  public List<K> keys() {
    HashMap<K, Set<V>> content = unforked;
    if (content != null) {
      return new ArrayList<>(content.keySet());
    }
    List<K> keys = new ArrayList<>();
    values.forEach((key, _) -> keys.add(key));
    return keys;
  }

  public boolean isEmpty() {
    HashMap<K, Set<V>> content = unforked;
    return content != null ? content.isEmpty() : values.isEmpty();
  }

  private static <V extends Comparable<? super V>> List<V> sorted(@Nullable Set<V> own) {
    if (own == null) {
      return List.of();
    }
    List<V> list = new ArrayList<>(own);
    list.sort(null); // by their natural order
    return list;
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
