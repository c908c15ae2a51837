package dev.sluice.api.meta;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An unmodifiable map of few entries in the order they came. An object has half a dozen of such
 * maps, and a cluster a million objects, so this one is an array, a tenth of a hash map's size; and
 * keys that are words are kept once for all maps.
 */
final class FewEntries<K, V> extends AbstractMap<K, V> {
  /** More are found faster by hash. */
  static final int MOST = 8;

  private final Object[] keysAndValues;

  FewEntries(Map<K, V> map) {
    this.keysAndValues = new Object[2 * map.size()];
    int at = 0;
    for (Map.Entry<K, V> entry : map.entrySet()) {
      Object key = entry.getKey();
      keysAndValues[at++] = key instanceof String word ? word.intern() : key;
      keysAndValues[at++] = entry.getValue();
    }
  }

  @Override
  public int size() {
    return keysAndValues.length / 2;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return indexOf(key) >= 0;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    int index = indexOf(key);
    return index < 0 ? null : value(index);
  }

  private int indexOf(@Nullable Object key) {
    for (int i = 0; i < keysAndValues.length; i += 2) {
      if (keysAndValues[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  @SuppressWarnings("unchecked") // the constructor put it there
  private K key(int index) {
    return (K) keysAndValues[index];
  }

  @SuppressWarnings("unchecked") // the constructor put it there
  private V value(int index) {
    return (V) keysAndValues[index + 1];
  }

  // Like other unmodifiable maps, it also refuses calls that would change nothing.

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable V replace(K key, V value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean replace(K key, V value, V other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> change) {
    throw new UnsupportedOperationException();
  }

  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> make) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> change) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> change) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> change) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return FewEntries.this.size();
      }

      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new Entries();
      }
    };
  }

  private final class Entries implements Iterator<Map.Entry<K, V>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < keysAndValues.length;
    }

    @Override
    public Map.Entry<K, V> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      var entry = new SimpleImmutableEntry<>(key(next), value(next));
      next += 2;
      return entry;
    }
  }
}
