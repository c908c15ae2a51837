package dev.sluice.quota.tree;

import static dev.sluice.quota.tree.Quota.NO_LIMIT;
import static dev.sluice.quota.tree.TreeShape.NOWHERE;

import dev.sluice.quota.amount.Amounts;
import java.util.BitSet;

/**
 * The usage of one tree, to be changed and asked; every operation costs at most the height of the
 * tree. What-if is add, ask, remove: the state depends only on the sums per ClusterQueue, so
 * removing what was added restores it exactly (saturation aside). For one thread.
 */
// Usage goes up only by what a node's own, unlent quota does not cover; so the usage of a cohort is
// the sum of what its children use beyond their local quota.
public final class QuotaUsage {
  private final TreeShape shape;
  private final long[][] pages;
  private final BitSet owned;

  QuotaUsage(TreeShape shape, UsageTable start) {
    this.shape = shape;
    this.pages = start.copyOfPages();
    this.owned = new BitSet(pages.length);
  }

  public TreeShape shape() {
    return shape;
  }

  /** The current tree. This usage may change later; it copies what it modifies from here on. */
  public QuotaTree freeze() {
    owned.clear();
    return new QuotaTree(shape, new UsageTable(pages));
  }

  public long usage(int node, int column) {
    return get(shape.cell(node, column));
  }

  private long get(int cell) {
    return pages[cell >> UsageTable.PAGE_BITS][cell & (UsageTable.PAGE_SIZE - 1)];
  }

  private void set(int cell, long value) {
    int page = cell >> UsageTable.PAGE_BITS;
    if (!owned.get(page)) {
      pages[page] = pages[page].clone();
      owned.set(page);
    }
    pages[page][cell & (UsageTable.PAGE_SIZE - 1)] = value;
  }

  /**
   * Adjusts the usage after an edit of guaranteed quotas; the queues' usage is the same.
   *
   * @return whether that was possible from the usage before
   */
  boolean takeOver(QuotaUsage before) {
    for (int node = shape.size() - 1; node > 0; node--) {
      if (shape.hasSameRow(node, before.shape)) {
        continue; // and so have all nodes below
      }
      for (int column = 0; column < shape.width(); column++) {
        long old = before.sharedUse(node, column);
        long now = sharedUse(node, column);
        int cell = shape.cell(shape.parent(node), column);
        if (old != now) {
          if (get(cell) == Amounts.UNLIMITED
              || old == Amounts.UNLIMITED
              || now == Amounts.UNLIMITED) {
            return false;
          }
          set(cell, Amounts.plus(get(cell) - old, now));
        }
      }
    }
    return true;
  }

  /** What the node uses beyond what it keeps for itself. */
  private long sharedUse(int node, int column) {
    return Amounts.notNegative(Amounts.minus(usage(node, column), shape.localQuota(node, column)));
  }

  /** What is left of the quota that the node does not lend. */
  public long localAvailable(int node, int column) {
    return Amounts.notNegative(Amounts.minus(shape.localQuota(node, column), usage(node, column)));
  }

  public void add(int node, Vector usage) {
    for (int i = 0; i < usage.size(); i++) {
      add(node, usage.column(i), usage.amount(i));
    }
  }

  public void remove(int node, Vector usage) {
    for (int i = 0; i < usage.size(); i++) {
      remove(node, usage.column(i), usage.amount(i));
    }
  }

  /**
   * Adds an amount at the node and, as far as it does not own it, above. A negative amount, which
   * Kueue reserves where a node uses more than its limit, changes this node alone.
   */
  public void add(int node, int column, long amount) {
    int at = node;
    long rest = amount;
    do {
      long own = localAvailable(at, column);
      int cell = shape.cell(at, column);
      set(cell, Amounts.plus(get(cell), rest));
      rest = Amounts.minus(rest, own);
      at = shape.parent(at);
    } while (at != NOWHERE && rest > 0);
  }

  /** Takes back an amount of at least 0 that {@link #add} added. */
  public void remove(int node, int column, long amount) {
    int at = node;
    long rest = amount;
    while (at != NOWHERE && rest > 0) {
      int cell = shape.cell(at, column);
      long stored = Amounts.minus(get(cell), shape.localQuota(at, column));
      set(cell, Amounts.minus(get(cell), rest));
      rest = Math.min(rest, stored);
      at = shape.parent(at);
    }
  }

  /** What can still be used at the node; negative after the quota was lowered below its use. */
  // Unrolled from the node up: what is available is the least, over all ancestors, of the local
  // quota left on the way plus what that ancestor's limit allows.
  public long available(int node, int column) {
    long own = 0;
    long least = Amounts.UNLIMITED;
    int at = node;
    while (shape.parent(at) != NOWHERE) {
      own = Amounts.plus(own, localAvailable(at, column));
      if (shape.borrowingLimit(at, column) != NO_LIMIT) {
        least = Math.min(least, Amounts.plus(own, borrowable(at, column)));
      }
      at = shape.parent(at);
    }
    long rest = Amounts.minus(shape.subtreeQuota(at, column), usage(at, column));
    return Math.min(least, Amounts.plus(own, rest));
  }

  /** The node, from this one up, whose limit or quota is what bounds {@link #available}. */
  public NodeName scarcest(int node, int column) {
    long own = 0;
    long least = Amounts.UNLIMITED;
    int scarce = 0;
    int at = node;
    while (shape.parent(at) != NOWHERE) {
      own = Amounts.plus(own, localAvailable(at, column));
      boolean limited = shape.borrowingLimit(at, column) != NO_LIMIT;
      long here = limited ? Amounts.plus(own, borrowable(at, column)) : Amounts.UNLIMITED;
      if (here < least) {
        least = here;
        scarce = at;
      }
      at = shape.parent(at);
    }
    long rest = Amounts.minus(shape.subtreeQuota(at, column), usage(at, column));
    return shape.name(Amounts.plus(own, rest) <= least ? 0 : scarce);
  }

  private long borrowable(int node, int column) {
    long local = shape.localQuota(node, column);
    long stored = Amounts.minus(shape.subtreeQuota(node, column), local);
    long used = Amounts.notNegative(Amounts.minus(usage(node, column), local));
    return Amounts.plus(Amounts.minus(stored, used), shape.borrowingLimit(node, column));
  }

  /** Whether the amount can be added at the node now. */
  public boolean fits(int node, int column, long amount) {
    return amount <= Amounts.notNegative(available(node, column));
  }

  /** Whether all of it can be added at the node now. */
  public boolean fits(int node, Vector usage) {
    for (int i = 0; i < usage.size(); i++) {
      if (!fits(node, usage.column(i), usage.amount(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the subtree would use more than it owns with that much more. */
  public boolean borrowsWith(int node, int column, long amount) {
    return shape.subtreeQuota(node, column) < Amounts.plus(usage(node, column), amount);
  }

  /** Whether the subtree uses no more than it owns, in all of these columns. */
  public boolean withinNominal(int node, int[] columns) {
    for (int column : columns) {
      if (borrowsWith(node, column, 0)) {
        return false;
      }
    }
    return true;
  }

  /** The lowest subtree around a ClusterQueue that owns enough for an amount. */
  public FittingSubtree heightThatFits(int queue, int column, long amount) {
    int at = queue;
    long rest = amount;
    while (borrowsWith(at, column, rest)) {
      if (shape.parent(at) == NOWHERE) {
        return new FittingSubtree(shape.height(at), false);
      }
      rest = Amounts.minus(rest, localAvailable(at, column));
      at = shape.parent(at);
    }
    return new FittingSubtree(shape.height(at), shape.parent(at) != NOWHERE);
  }

  /** A subtree's height, and whether it is smaller than the whole tree. */
  public record FittingSubtree(int height, boolean smallerThanTree) {}

  /**
   * The dominant resource share of the node: for each resource, what it borrows over what its
   * parent's subtree could lend; the largest ratio counts.
   */
  public Share share(int node) {
    if (shape.parent(node) == NOWHERE) {
      return Share.NONE;
    }
    long[] borrowed = new long[shape.resourceCount()];
    boolean borrows = false;
    for (int column = 0; column < shape.width(); column++) {
      long over = Amounts.minus(usage(node, column), shape.subtreeQuota(node, column));
      if (over > 0 && shape.lists(node, column)) {
        int resource = shape.resourceOf(column);
        borrowed[resource] = Amounts.plus(borrowed[resource], over);
        borrows = true;
      }
    }
    return borrows ? dominant(node, borrowed) : Share.NONE;
  }

  private Share dominant(int node, long[] borrowed) {
    double ratio = 0;
    String resource = "";
    for (int i = 0; i < borrowed.length; i++) {
      double lendable = shape.lendable(node, i);
      if (borrowed[i] <= 0 || lendable <= 0) {
        continue;
      }
      double own = borrowed[i] * 1000.0 / lendable;
      if (own > ratio) {
        ratio = own;
        resource = shape.resource(i);
      }
    }
    return new Share(true, ratio, shape.weight(node), resource);
  }

  /** A number that is the same for the same usage everywhere, and hardly ever for another. */
  public long digest() {
    long digest = 1125899906842597L;
    for (int cell = 0; cell < shape.cells(); cell++) {
      digest = 31 * digest + get(cell);
      digest ^= digest >>> 29;
    }
    return digest;
  }
}
