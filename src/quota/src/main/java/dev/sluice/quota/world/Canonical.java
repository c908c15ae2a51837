package dev.sluice.quota.world;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One instance of each value that somebody still uses: workloads of the same kind share what is
 * equal, so that a million of them fit in memory. For one thread.
 */
final class Canonical<T> {
  private final Map<T, WeakReference<T>> known = new WeakHashMap<>();

  T of(T value) {
    return of(value, UnaryOperator.identity());
  }

  /** The instance that is known; where there is none, what is made of this one, and equals it. */
  T of(T value, UnaryOperator<T> made) {
    WeakReference<T> reference = known.get(value);
    @Nullable T old = reference == null ? null : reference.get();
    if (old != null) {
      return old;
    }
    T kept = made.apply(value);
    known.put(kept, new WeakReference<>(kept));
    return kept;
  }
}
