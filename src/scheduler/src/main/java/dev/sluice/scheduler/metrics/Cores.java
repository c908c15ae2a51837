package dev.sluice.scheduler.metrics;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.tree.Quota;

/** Amounts as metrics show them. */
final class Cores {
  private Cores() {}

  /** In cores for cpu, in whole units for everything else; infinite for no limit. */
  static double of(String resource, long amount) {
    return amount == Quota.NO_LIMIT || amount == Amounts.UNLIMITED
        ? Double.POSITIVE_INFINITY
        : Amount.toQuantity(resource, amount).value().doubleValue();
  }
}
