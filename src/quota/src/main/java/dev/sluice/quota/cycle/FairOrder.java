package dev.sluice.quota.cycle;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.tree.QuotaUsage;
import dev.sluice.quota.tree.Share;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.trial.TreeTrial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serves the entry first that would leave its queue with the smallest share. */
// A tournament in each tree: every cohort sends up the best of its queues' entries and its child
// cohorts' winners, compared by the share that the child on their side would have. Shares are
// computed again for every pick, because serving one entry changes the shares of the others.
final class FairOrder implements EntryOrder {
  private final EngineConfiguration configuration;
  private final Comparator<Entry> byAge;
  private final List<Entry> left;

  FairOrder(List<Entry> entries, EngineConfiguration configuration) {
    this.configuration = configuration;
    this.byAge = ClassicalOrder.byAge(configuration);
    this.left = new ArrayList<>(entries);
    left.sort(
        Comparator.comparing((Entry e) -> !e.head().workload().holdsQuota())
            .thenComparing(e -> e.head().workload().queueTimestamp())
            .thenComparing(e -> e.head().workload().key()));
  }

  @Override
  public @Nullable Entry next() {
    if (left.isEmpty()) {
      return null;
    }
    Entry oldest = left.getFirst();
    Entry winner = oldest.node() == 0 ? oldest : winner(oldest.trial());
    left.remove(winner);
    return winner;
  }

  /** An entry with what its way up would look like if it were served. */
  private record Contender(Entry entry, Map<Integer, Standing> standings) {
    Standing at(int node) {
      return standings.getOrDefault(node, Standing.ALOOF);
    }
  }

  private record Standing(Share share, boolean borrows) {
    static final Standing ALOOF = new Standing(Share.NONE, false);
  }

  private Entry winner(TreeTrial trial) {
    TreeShape shape = trial.shape();
    Map<Integer, Contender> winners = new HashMap<>();
    for (Entry entry : left) {
      if (entry.trial() == trial) {
        winners.merge(entry.node(), contender(entry), (a, b) -> better(a, b, a.entry().node()));
      }
    }
    for (int node = shape.size() - 1; node > 0; node--) {
      Contender own = winners.get(node);
      if (own != null) {
        int here = node;
        winners.merge(
            shape.parent(node), own, (other, mine) -> betterAbove(other, mine, here, shape));
      }
    }
    Contender best = winners.get(0);
    return best == null ? left.getFirst() : best.entry();
  }

  private Contender contender(Entry entry) {
    QuotaUsage ledger = entry.trial().ledger();
    TreeShape shape = entry.trial().shape();
    Map<Integer, Standing> standings = new HashMap<>();
    ledger.add(entry.node(), entry.usage());
    for (int node = entry.node(); node > 0; node = shape.parent(node)) {
      standings.put(node, new Standing(ledger.share(node), borrows(ledger, node, entry)));
    }
    ledger.remove(entry.node(), entry.usage());
    return new Contender(entry, standings);
  }

  private static boolean borrows(QuotaUsage ledger, int node, Entry entry) {
    for (int i = 0; i < entry.usage().size(); i++) {
      if (entry.usage().amount(i) > 0 && ledger.borrowsWith(node, entry.usage().column(i), 0)) {
        return true;
      }
    }
    return false;
  }

  /** Both contenders came to the parent of {@code here}; the second through {@code here}. */
  private Contender betterAbove(Contender other, Contender mine, int here, TreeShape shape) {
    int otherChild = shape.childTowards(shape.parent(here), other.entry().node());
    return compare(other, other.at(otherChild), mine, mine.at(here)) <= 0 ? other : mine;
  }

  private Contender better(Contender a, Contender b, int node) {
    return compare(a, a.at(node), b, b.at(node)) <= 0 ? a : b;
  }

  private int compare(Contender a, Standing standingA, Contender b, Standing standingB) {
    if (configuration.on(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS)
        && a.entry().head().preemptor() != b.entry().head().preemptor()) {
      return a.entry().head().preemptor() ? -1 : 1;
    }
    if (configuration.on(FeatureGate.FAIR_SHARING_PRIORITIZE_NON_BORROWING)
        && standingA.borrows() != standingB.borrows()) {
      return standingA.borrows() ? 1 : -1;
    }
    int byShare = standingA.share().compareTo(standingB.share());
    return byShare != 0 ? byShare : byAge.compare(a.entry(), b.entry());
  }
}
