package dev.sluice.quota.world;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One instance of each value that is still used: workloads of the same kind share what is equal, so
 * that a million of them fit in memory. Safe for several threads, as forks of an engine share it.
 */
// A hash table of weak references with chains. One reference for each value is all there is: a
// WeakHashMap from each to itself would take twice the memory, of which there may be a million.
final class Canonical<T> {
  private static final int FIRST_SIZE = 16;

  private static final class Known<T> extends WeakReference<T> {
    private final int hash;
    private @Nullable Known<T> next;

    private Known(T value, int hash, ReferenceQueue<T> gone, @Nullable Known<T> next) {
      super(value, gone);
      this.hash = hash;
      this.next = next;
    }
  }

  private final ReferenceQueue<T> gone = new ReferenceQueue<>();
  private @Nullable Known<T>[] table = tableOf(FIRST_SIZE);
  private int size;

  @SuppressWarnings("unchecked") // an array of nothing but nulls
  private static <T> @Nullable Known<T>[] tableOf(int size) {
    return (@Nullable Known<T>[]) new @Nullable Known<?>[size];
  }

  T of(T value) {
    return of(value, UnaryOperator.identity());
  }

  /** The instance that is known; where there is none, what is made of this one, and equals it. */
  synchronized T of(T value, UnaryOperator<T> made) {
    forgetGone();
    int hash = spread(value.hashCode());
    for (Known<T> known = table[at(hash)]; known != null; known = known.next) {
      @Nullable T old = known.hash == hash ? known.get() : null;
      if (old != null && old.equals(value)) {
        return old;
      }
    }
    T kept = made.apply(value);
    add(kept, hash);
    return kept;
  }

  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }

  private int at(int hash) {
    return hash & (table.length - 1);
  }

  private void add(T kept, int hash) {
    if (size >= table.length) {
      grow();
    }
    table[at(hash)] = new Known<>(kept, hash, gone, table[at(hash)]);
    size++;
  }

  private void grow() {
    @Nullable Known<T>[] before = table;
    table = tableOf(2 * before.length);
    for (Known<T> chain : before) {
      Known<T> known = chain;
      while (known != null) {
        Known<T> next = known.next;
        known.next = table[at(known.hash)];
        table[at(known.hash)] = known;
        known = next;
      }
    }
  }

  /** Removes unused values. */
  private void forgetGone() {
    for (Reference<? extends T> one = gone.poll(); one != null; one = gone.poll()) {
      remove((Known<?>) one);
    }
  }

  private void remove(Known<?> one) {
    Known<T> before = null;
    for (Known<T> known = table[at(one.hash)]; known != null; known = known.next) {
      if (known == one) {
        if (before == null) {
          table[at(one.hash)] = known.next;
        } else {
          before.next = known.next;
        }
        size--;
        return;
      }
      before = known;
    }
  }
}
