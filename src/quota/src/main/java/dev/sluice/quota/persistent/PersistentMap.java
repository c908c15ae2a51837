package dev.sluice.quota.persistent;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map; a change answers a new version and costs O(log n) in time and space.
 * Iteration is in the order of the keys.
 */
// A height-balanced tree (Adelson-Velsky and Landis) with path copying: the two subtrees of a node
// never differ by more than one in height, so a path has at most 1.44 log2(n) nodes.
public final class PersistentMap<K, V> implements Iterable<Map.Entry<K, V>> {
  record Node<K, V>(
      K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right, int height, int size) {
    static <K, V> Node<K, V> of(
        K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
      return new Node<>(
          key,
          value,
          left,
          right,
          1 + Math.max(heightOf(left), heightOf(right)),
          1 + sizeOf(left) + sizeOf(right));
    }
  }

  private final @Nullable Comparator<? super K> order; // null for the natural one
  private final @Nullable Node<K, V> root;

  private PersistentMap(@Nullable Comparator<? super K> order, @Nullable Node<K, V> root) {
    this.order = order;
    this.root = root;
  }

  /** Nothing, to be filled in the natural order of the keys. */
  public static <K extends Comparable<? super K>, V> PersistentMap<K, V> empty() {
    return new PersistentMap<K, V>(null, null);
  }

  /** Nothing, to be filled in that order, which must be consistent with equals. */
  public static <K, V> PersistentMap<K, V> empty(Comparator<? super K> order) {
    return new PersistentMap<>(order, null);
  }

  @SuppressWarnings("unchecked") // without an order, keys are comparable: see empty
  private int compare(K one, K other) {
    return order == null
        ? ((Comparable<? super K>) one).compareTo(other)
        : order.compare(one, other);
  }

  public int size() {
    return sizeOf(root);
  }

  public boolean isEmpty() {
    return root == null;
  }

  public boolean containsKey(K key) {
    return find(key) != null;
  }

  @Nullable Node<K, V> root() {
    return root;
  }

  /**
   * A map with those entries, in O(n).
   *
   * @param keys different ones, in their natural order
   */
  public static <K extends Comparable<? super K>, V> PersistentMap<K, V> ofSorted(
      List<K> keys, Function<K, V> value) {
    return new PersistentMap<K, V>(null, tree(keys, value));
  }

  private static <K, V> @Nullable Node<K, V> tree(List<K> keys, Function<K, V> value) {
    if (keys.isEmpty()) {
      return null;
    }
    int middle = keys.size() / 2;
    K key = keys.get(middle);
    return Node.of(
        key,
        value.apply(key),
        tree(keys.subList(0, middle), value),
        tree(keys.subList(middle + 1, keys.size()), value));
  }

  /** How many keys are less than that one, which may be missing, in O(log n). */
  public int rank(K key) {
    int less = 0;
    Node<K, V> node = root;
    while (node != null) {
      int side = compare(key, node.key);
      if (side > 0) {
        less += 1 + sizeOf(node.left);
      } else if (side == 0) {
        return less + sizeOf(node.left);
      }
      node = side < 0 ? node.left : node.right;
    }
    return less;
  }

  /** The value of the key, or null. */
  public @Nullable V find(K key) {
    Node<K, V> node = root;
    while (node != null) {
      int side = compare(key, node.key);
      if (side == 0) {
        return node.value;
      }
      node = side < 0 ? node.left : node.right;
    }
    return null;
  }

  /** The smallest key. */
  public K firstKey() {
    return first().key;
  }

  /** The value of the smallest key. */
  public V firstValue() {
    return first().value;
  }

  private Node<K, V> first() {
    if (root == null) {
      throw new NoSuchElementException("the map is empty");
    }
    Node<K, V> node = root;
    while (node.left != null) {
      node = node.left;
    }
    return node;
  }

  /** This map with that value for the key. */
  public PersistentMap<K, V> with(K key, V value) {
    return new PersistentMap<>(order, put(root, key, value));
  }

  /** This map without the key; this map itself where it has none. */
  public PersistentMap<K, V> without(K key) {
    return containsKey(key) ? new PersistentMap<>(order, remove(root, key)) : this;
  }

  private Node<K, V> put(@Nullable Node<K, V> node, K key, V value) {
    if (node == null) {
      return Node.of(key, value, null, null);
    }
    int side = compare(key, node.key);
    if (side == 0) {
      return Node.of(key, value, node.left, node.right);
    }
    return side < 0
        ? balanced(node, put(node.left, key, value), node.right)
        : balanced(node, node.left, put(node.right, key, value));
  }

  private @Nullable Node<K, V> remove(@Nullable Node<K, V> node, K key) {
    if (node == null) {
      return null;
    }
    int side = compare(key, node.key);
    if (side < 0) {
      return balanced(node, remove(node.left, key), node.right);
    }
    if (side > 0) {
      return balanced(node, node.left, remove(node.right, key));
    }
    return joined(node.left, node.right);
  }

  private static <K, V> @Nullable Node<K, V> joined(
      @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    Node<K, V> next = right;
    while (next.left != null) {
      next = next.left;
    }
    return balanced(next, left, withoutFirst(right));
  }

  private static <K, V> @Nullable Node<K, V> withoutFirst(Node<K, V> node) {
    return node.left == null ? node.right : balanced(node, withoutFirst(node.left), node.right);
  }

  /** The entry of that node over the two subtrees, which differ by at most two in height. */
  private static <K, V> Node<K, V> balanced(
      Node<K, V> entry, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
    int lean = heightOf(left) - heightOf(right);
    if (lean > 1 && left != null) {
      return leaningLeft(entry, left, right);
    }
    if (lean < -1 && right != null) {
      return leaningRight(entry, left, right);
    }
    return over(entry, left, right);
  }

  private static <K, V> Node<K, V> leaningLeft(
      Node<K, V> entry, Node<K, V> left, @Nullable Node<K, V> right) {
    Node<K, V> inner = left.right;
    if (inner == null || heightOf(left.left) >= heightOf(inner)) {
      return over(left, left.left, over(entry, inner, right));
    }
    return over(inner, over(left, left.left, inner.left), over(entry, inner.right, right));
  }

  private static <K, V> Node<K, V> leaningRight(
      Node<K, V> entry, @Nullable Node<K, V> left, Node<K, V> right) {
    Node<K, V> inner = right.left;
    if (inner == null || heightOf(right.right) >= heightOf(inner)) {
      return over(right, over(entry, left, inner), right.right);
    }
    return over(inner, over(entry, left, inner.left), over(right, inner.right, right.right));
  }

  private static <K, V> Node<K, V> over(
      Node<K, V> entry, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
    return Node.of(entry.key, entry.value, left, right);
  }

  private static <K, V> int heightOf(@Nullable Node<K, V> node) {
    return node == null ? 0 : node.height;
  }

  private static <K, V> int sizeOf(@Nullable Node<K, V> node) {
    return node == null ? 0 : node.size;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return iterator(0);
  }

  /** The entries in order, without the first ones; finds its beginning in O(log n). */
  public Iterator<Map.Entry<K, V>> iterator(int leftOut) {
    return new InOrder<>(root, leftOut);
  }

  /** The keys, in order. */
  public Iterable<K> keys() {
    return each(Map.Entry::getKey);
  }

  /** The values in the order of their keys. */
  public Iterable<V> values() {
    return each(Map.Entry::getValue);
  }

  private <T> Iterable<T> each(Function<Map.Entry<K, V>, T> part) {
    return () -> {
      var entries = iterator();
      return new Iterator<T>() {
        @Override
        public boolean hasNext() {
          return entries.hasNext();
        }

        @Override
        public T next() {
          return part.apply(entries.next());
        }
      };
    };
  }

  private static final class InOrder<K, V> implements Iterator<Map.Entry<K, V>> {
    private final Deque<Node<K, V>> path = new ArrayDeque<>();

    InOrder(@Nullable Node<K, V> root, int leftOut) {
      int still = leftOut;
      Node<K, V> node = root;
      while (node != null) {
        int left = sizeOf(node.left);
        if (still <= left) {
          path.push(node);
          node = node.left;
        } else {
          still -= left + 1;
          node = node.right;
        }
      }
    }

    private void descend(@Nullable Node<K, V> node) {
      while (node != null) {
        path.push(node);
        node = node.left;
      }
    }

    @Override
    public boolean hasNext() {
      return !path.isEmpty();
    }

    @Override
    public Map.Entry<K, V> next() {
      Node<K, V> node = path.pop();
      descend(node.right);
      return Map.entry(node.key, node.value);
    }
  }
}
