package dev.sluice.quota.assign;

import dev.sluice.api.queue.BorrowWithinCohortPolicy;
import dev.sluice.quota.assign.FlavorPreference.Grade;
import dev.sluice.quota.decision.FlavorMode;
import dev.sluice.quota.preempt.PreemptionRequest;
import dev.sluice.quota.preempt.TargetSearch;
import dev.sluice.quota.preempt.Victim;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.QuotaUsage.FittingSubtree;
import dev.sluice.quota.tree.Vector;
import dev.sluice.quota.trial.TreeTrial;
import java.util.List;

/**
 * How the quota of one flavor and resource can serve an amount: it fits, fits by borrowing, needs
 * preemption, or never fits.
 */
final class QuotaOracle {
  private final TreeTrial trial;
  private final TargetSearch search;
  private final boolean fairSharing;
  private final Head head;
  private final int node;

  QuotaOracle(TreeTrial trial, TargetSearch search, boolean fairSharing, Head head) {
    this.trial = trial;
    this.search = search;
    this.fairSharing = fairSharing;
    this.head = head;
    this.node = trial.node(head.rules().name());
  }

  Grade grade(int column, long amount) {
    QuotaUsage ledger = trial.ledger();
    if (amount > trial.shape().potentialAvailable(node, column)) {
      return Grade.NO_FIT;
    }
    FittingSubtree subtree = ledger.heightThatFits(node, column, amount);
    if (ledger.fits(node, column, amount)) {
      return new Grade(FlavorMode.FIT, subtree.height());
    }
    boolean mayPreempt =
        trial.shape().nominal(node, column) >= amount
            || subtree.smallerThanTree()
            || preemptsWhileBorrowing();
    return mayPreempt
        ? preempting(column, amount, subtree.height())
        : new Grade(FlavorMode.NO_FIT, subtree.height());
  }

  private boolean preemptsWhileBorrowing() {
    var policy = head.rules().preemption().borrowWithinCohort().policy();
    return policy != BorrowWithinCohortPolicy.NEVER || (fairSharing && head.rules().reclaims());
  }

  private Grade preempting(int column, long amount, int level) {
    List<Victim> victims =
        search.targets(
            trial,
            new PreemptionRequest(
                head.workload(),
                head.rules(),
                node,
                new int[] {column},
                Vector.of(column, amount),
                head.replaced()));
    if (victims.isEmpty()) {
      return new Grade(FlavorMode.NO_CANDIDATES, level);
    }
    boolean own = victims.stream().anyMatch(v -> v.held().node() == node);
    return new Grade(
        own ? FlavorMode.PREEMPT : FlavorMode.RECLAIM, levelWithout(victims, column, amount));
  }

  private int levelWithout(List<Victim> victims, int column, long amount) {
    victims.forEach(v -> trial.remove(v.held()));
    int level = trial.ledger().heightThatFits(node, column, amount).height();
    victims.forEach(v -> trial.add(v.held()));
    return level;
  }
}
