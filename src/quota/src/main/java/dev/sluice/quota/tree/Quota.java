package dev.sluice.quota.tree;

/** What a node is given of one flavor's resource, in the units of {@code Amount}. */
public record Quota(long nominal, long borrowingLimit, long lendingLimit) {
  /** The value of a limit that is not set. */
  public static final long NO_LIMIT = -1;

  /** A node that owns nothing and sets no limit. */
  public static final Quota NONE = nominal(0);

  /** That much, without limits. */
  public static Quota nominal(long nominal) {
    return new Quota(nominal, NO_LIMIT, NO_LIMIT);
  }

  public Quota withBorrowingLimit(long limit) {
    return new Quota(nominal, limit, lendingLimit);
  }

  public Quota withLendingLimit(long limit) {
    return new Quota(nominal, borrowingLimit, limit);
  }
}
