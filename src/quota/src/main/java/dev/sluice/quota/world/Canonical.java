package dev.sluice.quota.world;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One instance of each value that somebody still uses: workloads of the same kind share what is
 * equal, so that a million of them fit in memory. For one thread.
 */
final class Canonical<T> {
  private final Map<T, WeakReference<T>> known = new WeakHashMap<>();

  T of(T value) {
    WeakReference<T> reference = known.get(value);
    @Nullable T old = reference == null ? null : reference.get();
    if (old != null) {
      return old;
    }
    known.put(value, new WeakReference<>(value));
    return value;
  }
}
