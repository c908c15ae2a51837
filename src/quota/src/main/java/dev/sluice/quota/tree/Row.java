package dev.sluice.quota.tree;

import static dev.sluice.quota.tree.Quota.NO_LIMIT;

import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;

/**
 * The amounts of one node, by column: those of its object, and those derived from its children.
 * Modified only while its tree is built; shared by trees after edits elsewhere.
 */
final class Row {
  private final long[] nominal;
  private final long[] borrowingLimit;
  private final long[] lendingLimit;
  private final long[] subtreeQuota;
  private final long[] localQuota;
  private final BitSet listed;

  /** The amounts of the object, without children. */
  Row(Map<FlavorResource, Quota> quotas, TreeForm form) {
    int width = form.columns().length;
    this.nominal = new long[width];
    this.borrowingLimit = new long[width];
    this.lendingLimit = new long[width];
    this.listed = new BitSet(width);
    Arrays.fill(borrowingLimit, NO_LIMIT);
    Arrays.fill(lendingLimit, NO_LIMIT);
    for (var entry : quotas.entrySet()) {
      int column = form.pairs().getOrDefault(entry.getKey(), TreeShape.NOWHERE);
      nominal[column] = entry.getValue().nominal();
      borrowingLimit[column] = entry.getValue().borrowingLimit();
      lendingLimit[column] = entry.getValue().lendingLimit();
      listed.set(column);
    }
    this.subtreeQuota = nominal.clone();
    this.localQuota = new long[width];
    keepBack();
  }

  private Row(Row other) {
    this.nominal = other.nominal;
    this.borrowingLimit = other.borrowingLimit;
    this.lendingLimit = other.lendingLimit;
    this.subtreeQuota = other.subtreeQuota.clone();
    this.localQuota = other.localQuota.clone();
    this.listed = other.listed;
  }

  /** A row to be changed, which begins as this one. */
  Row copy() {
    return new Row(this);
  }

  /** Computes again what the node does not lend. */
  void keepBack() {
    for (int column = 0; column < localQuota.length; column++) {
      localQuota[column] =
          lendingLimit[column] == NO_LIMIT
              ? 0
              : Amounts.notNegative(Amounts.minus(subtreeQuota[column], lendingLimit[column]));
    }
  }

  /** The node has that child, too, whose row is complete. */
  void join(Row child) {
    for (int column = 0; column < subtreeQuota.length; column++) {
      subtreeQuota[column] = Amounts.plus(subtreeQuota[column], child.shared(column));
    }
    listed.or(child.listed);
  }

  /**
   * The row of a child changed.
   *
   * @return whether both rows were enough to update; otherwise all children must join again
   */
  boolean exchange(Row before, Row after) {
    for (int column = 0; column < subtreeQuota.length; column++) {
      long old = before.shared(column);
      long now = after.shared(column);
      if (old != now) {
        if (isBound(subtreeQuota[column]) || isBound(old) || isBound(now)) {
          return false;
        }
        subtreeQuota[column] = Amounts.plus(subtreeQuota[column] - old, now);
      }
    }
    return true;
  }

  private static boolean isBound(long amount) {
    return amount == Amounts.UNLIMITED || amount == Long.MIN_VALUE;
  }

  private long shared(int column) {
    return Amounts.minus(subtreeQuota[column], localQuota[column]);
  }

  long nominal(int column) {
    return nominal[column];
  }

  long borrowingLimit(int column) {
    return borrowingLimit[column];
  }

  long subtreeQuota(int column) {
    return subtreeQuota[column];
  }

  long localQuota(int column) {
    return localQuota[column];
  }

  boolean lists(int column) {
    return listed.get(column);
  }
}
