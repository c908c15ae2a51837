package dev.sluice.quota.tree;

/** A tree with its usage at one moment; immutable. */
public final class QuotaTree {
  private final TreeShape shape;
  private final UsageTable usage;

  QuotaTree(TreeShape shape, UsageTable usage) {
    this.shape = shape;
    this.usage = usage;
  }

  /** The same usage under other quotas; what nodes keep for themselves must not have changed. */
  QuotaTree with(TreeShape other) {
    return new QuotaTree(other, usage);
  }

  public TreeShape shape() {
    return shape;
  }

  /** A ledger that starts from here and leaves this tree as it is. Costs a page index. */
  public Ledger ledger() {
    return new Ledger(shape, usage);
  }
}
