package dev.sluice.quota.topology.capacity;

import dev.sluice.quota.topology.domain.DomainForest;
import java.util.BitSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Leaves by the number of pods that they can hold, then by their numbers; leaves without room are
 * left out. For one thread; several may read while none writes.
 */
// There are few different numbers of pods, so a row of bits for each is small and quick. A copy has
// rows for the leaves alone that are otherwise than in its original, which must stay as it is.
public final class LeafOrder {
  /** The leaves that hold the same number of pods. */
  private static final class Row {
    private final BitSet leaves = new BitSet();
    private int size;
  }

  private final @Nullable LeafOrder original;
  private final int originalChanges;
  private final BitSet elsewhere;
  private final NavigableMap<Long, Row> rows = new TreeMap<>();
  private int changes;

  /** An empty order. */
  LeafOrder() {
    this(null, new BitSet());
  }

  private LeafOrder(@Nullable LeafOrder original, BitSet elsewhere) {
    this.original = original;
    this.originalChanges = original == null ? 0 : original.changes;
    this.elsewhere = elsewhere;
  }

  /** A copy with the same order that changes independently. */
  LeafOrder copy() {
    if (original == null) {
      return new LeafOrder(this, new BitSet());
    }
    LeafOrder copy = new LeafOrder(original, (BitSet) elsewhere.clone());
    rows.forEach((pods, row) -> row.leaves.stream().forEach(leaf -> copy.join(leaf, pods)));
    return copy;
  }

  /** Whether what it was copied from is still what it was. */
  boolean isValid() {
    return original == null || (original.changes == originalChanges && original.isValid());
  }

  /** The leaf holds another number of pods than before. */
  void move(int leaf, long before, long now) {
    changes++;
    boolean was = original == null || elsewhere.get(leaf);
    if (was && before > 0) {
      leave(leaf, before);
    }
    if (original != null) {
      elsewhere.set(leaf);
    }
    if (now > 0) {
      join(leaf, now);
    }
  }

  private void leave(int leaf, long pods) {
    Row row = rows.get(pods);
    if (row != null && row.leaves.get(leaf)) {
      row.leaves.clear(leaf);
      row.size--;
      if (row.size == 0) {
        rows.remove(pods);
      }
    }
  }

  private void join(int leaf, long pods) {
    Row row = rows.computeIfAbsent(pods, _ -> new Row());
    row.leaves.set(leaf);
    row.size++;
  }

  /**
   * The first leaf of those with the fewest pods that are enough, or {@link DomainForest#NOWHERE}.
   */
  public int tightest(long enough) {
    var leaves = from(enough);
    return leaves.hasNext() ? leaves.nextInt() : DomainForest.NOWHERE;
  }

  /** The leaves that hold at least so many pods, those with the fewest first. */
  public PrimitiveIterator.OfInt from(long least) {
    var own = rows.tailMap(least, true).entrySet().iterator();
    var other = original == null ? null : original.rows.tailMap(least, true).entrySet().iterator();
    return new Walk(own, other, elsewhere, true);
  }

  /** All leaves, those with the most pods first. */
  public PrimitiveIterator.OfInt fromMost() {
    var own = rows.descendingMap().entrySet().iterator();
    var other = original == null ? null : original.rows.descendingMap().entrySet().iterator();
    return new Walk(own, other, elsewhere, false);
  }

  /** Two orders as one. */
  private static final class Walk implements PrimitiveIterator.OfInt {
    private final Side own;
    private final @Nullable Side other;
    private final boolean ascending;

    Walk(
        Iterator<Map.Entry<Long, Row>> own,
        @Nullable Iterator<Map.Entry<Long, Row>> other,
        BitSet elsewhere,
        boolean ascending) {
      this.own = new Side(own, null);
      this.other = other == null ? null : new Side(other, elsewhere);
      this.ascending = ascending;
    }

    private @Nullable Side first() {
      if (other == null || other.leaf < 0) {
        return own.leaf < 0 ? null : own;
      }
      return own.leaf < 0 || other.comesBefore(own, ascending) ? other : own;
    }

    @Override
    public boolean hasNext() {
      return first() != null;
    }

    @Override
    public int nextInt() {
      Side side = first();
      if (side == null) {
        throw new NoSuchElementException();
      }
      int leaf = side.leaf;
      side.advance();
      return leaf;
    }
  }

  /** One order, at one leaf. */
  private static final class Side {
    private final Iterator<Map.Entry<Long, Row>> rows;
    private final @Nullable BitSet skipped;
    private @Nullable BitSet row;
    private long pods;
    private int leaf = DomainForest.NOWHERE;

    Side(Iterator<Map.Entry<Long, Row>> rows, @Nullable BitSet skipped) {
      this.rows = rows;
      this.skipped = skipped;
      advance();
    }

    boolean comesBefore(Side other, boolean ascending) {
      return pods == other.pods ? leaf < other.leaf : ascending == (pods < other.pods);
    }

    /** To the next leaf that is not skipped; to none at the end. */
    void advance() {
      int next = row == null ? DomainForest.NOWHERE : following(row, leaf + 1);
      while (next < 0 && rows.hasNext()) {
        var entry = rows.next();
        pods = entry.getKey();
        row = entry.getValue().leaves;
        next = following(row, 0);
      }
      leaf = next;
    }

    private int following(BitSet leaves, int from) {
      int next = leaves.nextSetBit(from);
      while (next >= 0 && skipped != null && skipped.get(next)) {
        next = leaves.nextSetBit(next + 1);
      }
      return next;
    }
  }
}
