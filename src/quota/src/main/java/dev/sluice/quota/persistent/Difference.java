package dev.sluice.quota.persistent;

import dev.sluice.quota.persistent.PersistentMap.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two versions of a map. Values are the same if they are one object. Costs
 * O(log n) for each change that lies between the versions, since what they share is not visited.
 */
// Both trees are walked in order, side by side. What is next on a side is a subtree or an entry.
// Where the same subtree is next on both sides, both skip it. Otherwise the taller one is opened,
// so a shared subtree is next on both sides at some time.
public final class Difference<K extends Comparable<? super K>, V> {
  /**
   * A key whose value differs.
   *
   * @param before null where the key is new
   * @param after null where the key is gone
   */
  public record Change<K, V>(K key, @Nullable V before, @Nullable V after) {}

  /** The part of a tree that is still to be visited, the next part on top. */
  private static final class Walk<K, V> {
    /** A node, alone or with what is under it. */
    private record Part<K, V>(Node<K, V> node, boolean whole) {}

    private final Deque<Part<K, V>> parts = new ArrayDeque<>();

    Walk(PersistentMap<K, V> map) {
      push(map.root());
    }

    private void push(@Nullable Node<K, V> node) {
      if (node != null) {
        parts.push(new Part<>(node, true));
      }
    }

    boolean isOver() {
      return parts.isEmpty();
    }

    /** How many levels are to be opened before the next entry; 0 if it is next. */
    int height() {
      Part<K, V> next = parts.element();
      return next.whole() ? next.node().height() : 0;
    }

    /** Opens the subtree that is next. */
    void open() {
      Node<K, V> node = parts.pop().node();
      push(node.right());
      parts.push(new Part<>(node, false));
      push(node.left());
    }

    Node<K, V> next() {
      return parts.element().node();
    }

    void skip() {
      parts.pop();
    }
  }

  private final Walk<K, V> before;
  private final Walk<K, V> after;
  private final List<Change<K, V>> changes = new ArrayList<>();

  private Difference(PersistentMap<K, V> before, PersistentMap<K, V> after) {
    this.before = new Walk<>(before);
    this.after = new Walk<>(after);
  }

  /**
   * The changes from one map to the other, in the order of their keys; empty if there are more than
   * that many. Both maps are in the natural order of their keys.
   */
  public static <K extends Comparable<? super K>, V> Optional<List<Change<K, V>>> between(
      PersistentMap<K, V> before, PersistentMap<K, V> after, int most) {
    var difference = new Difference<>(before, after);
    while (difference.changes.size() <= most) {
      if (!difference.step()) {
        return Optional.of(difference.changes);
      }
    }
    return Optional.empty();
  }

  /** Whether there may be more. */
  @SuppressWarnings("ReferenceEquality") // what is shared is the same object
  private boolean step() {
    if (before.isOver() && after.isOver()) {
      return false;
    }
    int heightBefore = before.isOver() ? 0 : before.height();
    int heightAfter = after.isOver() ? 0 : after.height();
    if (heightBefore == 0 && heightAfter == 0) {
      compareEntries();
    } else if (heightBefore == heightAfter && before.next() == after.next()) {
      before.skip();
      after.skip();
    } else if (heightBefore >= heightAfter) {
      before.open();
    } else {
      after.open();
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // another object is another value
  private void compareEntries() {
    Node<K, V> old = before.isOver() ? null : before.next();
    Node<K, V> now = after.isOver() ? null : after.next();
    int side = old == null ? 1 : now == null ? -1 : old.key().compareTo(now.key());
    if (old != null && side <= 0) {
      before.skip();
    }
    if (now != null && side >= 0) {
      after.skip();
    }
    V valueBefore = old == null || side > 0 ? null : old.value();
    V valueAfter = now == null || side < 0 ? null : now.value();
    if (valueBefore != valueAfter) {
      K key = old == null || side > 0 ? keyOf(now) : old.key();
      changes.add(new Change<>(key, valueBefore, valueAfter));
    }
  }

  private static <K, V> K keyOf(@Nullable Node<K, V> node) {
    if (node == null) {
      throw new IllegalStateException("both sides are over");
    }
    return node.key();
  }
}
