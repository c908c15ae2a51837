package dev.sluice.quota.tree;

import org.jspecify.annotations.Nullable;

/** A tree with its usage at one moment; immutable. */
public final class QuotaTree {
  private final TreeShape shape;
  private final UsageTable usage;

  QuotaTree(TreeShape shape, UsageTable usage) {
    this.shape = shape;
    this.usage = usage;
  }

  /** The same usage under the quotas after an edit, or null where it must be summed up again. */
  @Nullable QuotaTree with(TreeShape edited) {
    QuotaUsage ledger = new QuotaUsage(edited, usage);
    return ledger.takeOver(ledger()) ? ledger.freeze() : null;
  }

  public TreeShape shape() {
    return shape;
  }

  /** A ledger that starts from here and leaves this tree as it is. Costs a page index. */
  public QuotaUsage ledger() {
    return new QuotaUsage(shape, usage);
  }
}
