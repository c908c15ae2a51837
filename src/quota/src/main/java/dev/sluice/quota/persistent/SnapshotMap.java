package dev.sluice.quota.persistent;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mutable hash map whose content can be read at any time as a sorted, immutable one. A lookup or
 * a change costs what it costs in a {@link ForkableMap}; {@link #snapshot} costs O(log n) for each
 * key that was changed since the last one, however often. Keys and values are not null. For one
 * thread; its snapshots are for any.
 */
public final class SnapshotMap<K extends Comparable<? super K>, V> {
  private final ForkableMap<K, V> content;
  private final Set<K> changed = new HashSet<>();
  private PersistentMap<K, V> snapshot;

  /** An empty map. */
  public SnapshotMap() {
    this(new ForkableMap<>(), PersistentMap.empty());
  }

  private SnapshotMap(ForkableMap<K, V> content, PersistentMap<K, V> snapshot) {
    this.content = content;
    this.snapshot = snapshot;
  }

  /** A map of its own with the same content; costs a snapshot and {@link ForkableMap#fork}. */
  public SnapshotMap<K, V> fork() {
    return new SnapshotMap<>(content.fork(), snapshot());
  }

  /** The value of the key, or null. */
  public @Nullable V get(K key) {
    return content.get(key);
  }

  /** Replaces the value of the key. */
  public void put(K key, V value) {
    content.put(key, value);
    changed.add(key);
  }

  /** Removes the key; answers its value, or null. */
  public @Nullable V remove(K key) {
    V before = content.remove(key);
    if (before != null) {
      changed.add(key);
    }
    return before;
  }

  /** The content as it is now, in the order of the keys. */
  public PersistentMap<K, V> snapshot() {
    for (K key : changed) {
      V value = content.get(key);
      snapshot = value == null ? snapshot.without(key) : snapshot.with(key, value);
    }
    changed.clear();
    return snapshot;
  }
}
