package dev.sluice.quota.cycle;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.queue.ReclaimPolicy;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.assign.Placement;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.tree.Quota;
import dev.sluice.quota.tree.QuotaUsage;

/** Keeps quota for a head that finds nothing to preempt now, and may not get it back later. */
record LaterReclaim(EngineConfiguration configuration, Placement placement) {
  /**
   * Reserves, for the rest of this cycle, quota that a head needs and could not reclaim if a later
   * head took it.
   */
  void reserve(Entry entry, TopologyUsage room) {
    boolean canReclaim =
        entry.head().rules().preemption().reclaimWithinCohort() == ReclaimPolicy.ANY;
    boolean favored =
        configuration.on(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS) && entry.head().preemptor();
    if (canReclaim && !favored) {
      return;
    }
    boolean borrows = entry.nominated().assignment().borrowingLevel() > 0;
    QuotaUsage ledger = entry.trial().ledger();
    for (int i = 0; i < entry.usage().size(); i++) {
      int column = entry.usage().column(i);
      long amount = entry.usage().amount(i);
      ledger.add(entry.node(), column, Math.min(amount, reservable(entry, column, borrows)));
    }
    placement.take(entry.head(), entry.nominated().assignment(), room);
  }

  private static long reservable(Entry entry, int column, boolean borrows) {
    long nominal = entry.trial().shape().nominal(entry.node(), column);
    long limit = entry.trial().shape().borrowingLimit(entry.node(), column);
    long used = entry.trial().ledger().usage(entry.node(), column);
    if (!borrows) {
      return Amounts.notNegative(Amounts.minus(nominal, used));
    }
    return limit == Quota.NO_LIMIT
        ? Amounts.UNLIMITED
        : Amounts.minus(Amounts.plus(nominal, limit), used);
  }
}
