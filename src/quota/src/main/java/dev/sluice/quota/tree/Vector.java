package dev.sluice.quota.tree;

import dev.sluice.quota.amount.Usage;
import java.util.Arrays;

/** A {@link Usage} in terms of the columns of one tree. */
public final class Vector {
  /** Nothing of anything. */
  public static final Vector NONE = new Vector(new int[0], new long[0]);

  private final int[] columns;
  private final long[] amounts;

  Vector(int[] columns, long[] amounts) {
    this.columns = columns;
    this.amounts = amounts;
  }

  /** One amount in one column. */
  public static Vector of(int column, long amount) {
    return new Vector(new int[] {column}, new long[] {amount});
  }

  public int size() {
    return columns.length;
  }

  public int column(int index) {
    return columns[index];
  }

  public long amount(int index) {
    return amounts[index];
  }

  /** The columns it names; not to be changed. */
  public int[] columns() {
    return columns;
  }

  /** Whether the other one is the same amounts in the same columns. */
  public boolean isSameAs(Vector other) {
    return Arrays.equals(columns, other.columns) && Arrays.equals(amounts, other.amounts);
  }

  /** Whether it names the column, with whatever amount. */
  public boolean names(int column) {
    for (int own : columns) {
      if (own == column) {
        return true;
      }
    }
    return false;
  }

  /** Whether it names one of the columns. */
  public boolean namesAny(int[] wanted) {
    for (int column : wanted) {
      if (names(column)) {
        return true;
      }
    }
    return false;
  }
}
