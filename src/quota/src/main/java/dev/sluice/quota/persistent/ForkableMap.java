package dev.sluice.quota.persistent;

import java.util.HashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A mutable hash map that can be forked: map and fork have the same content, and a change of one
 * never shows in the other. A map that was never forked is a {@link HashMap}. The first fork costs
 * O(n), each further one O(1); the first change of a part after a fork copies that part. Keys and
 * values are not null. For one thread, but a fork may be passed to another one. Iteration is in no
 * particular order.
 */
// From the first fork on it is a trie over the bits of the hash, with an owner in each node: a map
// changes the nodes that it owns in place and copies the others. A fork gives both sides a new
// owner, so neither owns what they share. The trie costs more for each look than a HashMap, and
// the engine of a scheduler is never forked.
public final class ForkableMap<K, V> {
  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;

  /** An entry; entries whose keys have one hash are a chain. Immutable. */
  private record Entry<K, V>(int hash, K key, V value, @Nullable Entry<K, V> next) {
    @Nullable V find(Object wanted) {
      for (Entry<K, V> entry = this; entry != null; entry = entry.next) {
        if (entry.key.equals(wanted)) {
          return entry.value;
        }
      }
      return null;
    }

    /** The chain without the key; null where nothing is left. */
    @Nullable Entry<K, V> without(Object removed) {
      if (key.equals(removed)) {
        return next;
      }
      Entry<K, V> rest = next == null ? null : next.without(removed);
      return new Entry<>(hash, key, value, rest);
    }
  }

  /** Compared by identity. */
  private static final class Owner {}

  /** A node of the trie; each slot is a node or an {@link Entry}. */
  private static final class Node {
    private final Owner owner;
    private int bitmap;
    private Object[] slots;

    Node(Owner owner, int bitmap, Object[] slots) {
      this.owner = owner;
      this.bitmap = bitmap;
      this.slots = slots;
    }

    boolean has(int bit) {
      return (bitmap & bit) != 0;
    }

    int index(int bit) {
      return Integer.bitCount(bitmap & (bit - 1));
    }

    Node ownedBy(Owner other) {
      return owner == other ? this : new Node(other, bitmap, slots.clone());
    }
  }

  private static final Object[] NO_SLOTS = {};

  /** The content until the first fork; null from then on. */
  private @Nullable HashMap<K, V> unforked;

  private Owner owner = new Owner();
  private Node root;
  private int size;

  /** An empty map. */
  public ForkableMap() {
    this.unforked = new HashMap<>();
    this.root = new Node(owner, 0, NO_SLOTS);
  }

  private ForkableMap(Node root, int size) {
    this.root = root;
    this.size = size;
  }

  /** A map of its own with the same content. */
  public ForkableMap<K, V> fork() {
    HashMap<K, V> content = unforked;
    if (content != null) {
      unforked = null;
      content.forEach(this::put);
    }
    owner = new Owner();
    return new ForkableMap<>(root, size);
  }

  public int size() {
    return unforked != null ? unforked.size() : size;
  }

  public boolean isEmpty() {
    return size() == 0;
  }

  private static int spread(Object key) {
    int hash = key.hashCode();
    return hash ^ (hash >>> 16);
  }

  private static int bit(int hash, int shift) {
    return 1 << ((hash >>> shift) & MASK);
  }

  @SuppressWarnings("unchecked") // whatever is no node is an entry of this map
  private static <K, V> Entry<K, V> entry(Object slot) {
    return (Entry<K, V>) slot;
  }

  /** The value of the key, or null. */
  public @Nullable V get(Object key) {
    HashMap<K, V> content = unforked;
    return content != null ? content.get(key) : find(key);
  }

  private @Nullable V find(Object key) {
    int hash = spread(key);
    Node node = root;
    for (int shift = 0; ; shift += BITS) {
      int bit = bit(hash, shift);
      if (!node.has(bit)) {
        return null;
      }
      Object slot = node.slots[node.index(bit)];
      if (slot instanceof Node child) {
        node = child;
      } else {
        Entry<K, V> found = entry(slot);
        return found.hash == hash ? found.find(key) : null;
      }
    }
  }

  public V getOrDefault(Object key, V other) {
    V known = get(key);
    return known == null ? other : known;
  }

  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  /** Replaces the value of the key; answers the one before, or null. */
  public @Nullable V put(K key, V value) {
    HashMap<K, V> content = unforked;
    if (content != null) {
      return content.put(key, value);
    }
    V before = find(key);
    root = with(root, 0, new Entry<>(spread(key), key, value, null));
    size += before == null ? 1 : 0;
    return before;
  }

  /** Removes the key; answers its value, or null. */
  public @Nullable V remove(Object key) {
    HashMap<K, V> content = unforked;
    if (content != null) {
      return content.remove(key);
    }
    V before = find(key);
    if (before != null) {
      Node rest = without(root, 0, spread(key), key);
      root = rest == null ? new Node(owner, 0, NO_SLOTS) : rest;
      size--;
    }
    return before;
  }

  private Node with(Node node, int shift, Entry<K, V> added) {
    int bit = bit(added.hash, shift);
    int index = node.index(bit);
    if (!node.has(bit)) {
      return inserted(node, bit, index, added);
    }
    Object slot = node.slots[index];
    Object changed;
    if (slot instanceof Node child) {
      changed = with(child, shift + BITS, added);
    } else {
      Entry<K, V> known = entry(slot);
      changed =
          known.hash == added.hash
              ? new Entry<>(added.hash, added.key, added.value, known.without(added.key))
              : with(single(known, shift + BITS), shift + BITS, added);
    }
    return replaced(node, index, changed);
  }

  private Node single(Entry<K, V> entry, int shift) {
    return new Node(owner, bit(entry.hash, shift), new Object[] {entry});
  }

  private Node inserted(Node node, int bit, int index, Object slot) {
    Object[] slots = new Object[node.slots.length + 1];
    System.arraycopy(node.slots, 0, slots, 0, index);
    slots[index] = slot;
    System.arraycopy(node.slots, index, slots, index + 1, node.slots.length - index);
    return reshaped(node, node.bitmap | bit, slots);
  }

  @SuppressWarnings("ReferenceEquality") // an equal entry replaces another one as any other does
  private Node replaced(Node node, int index, Object slot) {
    if (node.slots[index] == slot) {
      return node;
    }
    Node own = node.ownedBy(owner);
    own.slots[index] = slot;
    return own;
  }

  private Node reshaped(Node node, int bitmap, Object[] slots) {
    if (node.owner != owner) {
      return new Node(owner, bitmap, slots);
    }
    node.bitmap = bitmap;
    node.slots = slots;
    return node;
  }

  /** The node without the key, which it has; null where nothing is left. */
  private @Nullable Node without(Node node, int shift, int hash, Object key) {
    int bit = bit(hash, shift);
    int index = node.index(bit);
    Object slot = node.slots[index];
    Object rest =
        slot instanceof Node child
            ? without(child, shift + BITS, hash, key)
            : ForkableMap.<K, V>entry(slot).without(key);
    if (rest != null) {
      return replaced(node, index, rest);
    }
    if (node.slots.length == 1) {
      return null;
    }
    Object[] slots = new Object[node.slots.length - 1];
    System.arraycopy(node.slots, 0, slots, 0, index);
    System.arraycopy(node.slots, index + 1, slots, index, slots.length - index);
    return reshaped(node, node.bitmap & ~bit, slots);
  }

  /** Passes each entry on. The map must not be changed meanwhile. */
  public void forEach(BiConsumer<? super K, ? super V> consumer) {
    if (unforked != null) {
      unforked.forEach(consumer);
    } else {
      forEach(root, consumer);
    }
  }

  private void forEach(Node node, BiConsumer<? super K, ? super V> consumer) {
    for (Object slot : node.slots) {
      if (slot instanceof Node child) {
        forEach(child, consumer);
      } else {
        for (Entry<K, V> entry = entry(slot); entry != null; entry = entry.next) {
          consumer.accept(entry.key, entry.value);
        }
      }
    }
  }
}
