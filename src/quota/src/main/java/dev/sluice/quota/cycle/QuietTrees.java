package dev.sluice.quota.cycle;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.LastAssignment;
import dev.sluice.quota.cache.EngineParts;
import dev.sluice.quota.cache.QuotaHolders;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.inventory.Inventory;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The trees for which the last cycle that looked at them had no effect, in the state that it saw.
 * While such a tree is in that state, another cycle would decide the same for its heads, mostly
 * that they still wait for the workloads they preempt. For one thread.
 */
public final class QuietTrees {
  /**
   * All that the decisions about the heads of a tree depend on, next to what {@link #forget} is
   * for.
   *
   * @param tree its quota and usage; another one after each change
   * @param holders how often those that hold its quota have changed
   * @param since when it was seen
   */
  private record State(QuotaTree tree, long holders, List<Head> heads, Instant since) {
    @SuppressWarnings("ReferenceEquality") // an equal one costs no more than another look
    boolean isSame(State other) {
      if (tree != other.tree || holders != other.holders || heads.size() != other.heads.size()) {
        return false;
      }
      for (int i = 0; i < heads.size(); i++) {
        if (!isSame(heads.get(i), other.heads.get(i))) {
          return false;
        }
      }
      return true;
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private static boolean isSame(Head one, Head other) {
      return one.workload() == other.workload()
          && one.rules() == other.rules()
          && one.preemptor() == other.preemptor()
          && one.replaced() == other.replaced();
    }
  }

  /** After that time a tree is looked at, whatever it depends on: a mistake here must not last. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final EngineConfiguration configuration;
  private final Inventory inventory;
  private final CohortForest forest;
  private final QuotaHolders holders;
  private final LocalQueueFairness fairness;

  private final Map<NodeName, State> quiet = new HashMap<>();

  /** The trees that this cycle looks at. */
  private final Map<NodeName, State> seen = new HashMap<>();

  /** None is quiet. */
  public QuietTrees(EngineConfiguration configuration, EngineParts parts) {
    this.configuration = configuration;
    this.inventory = parts.inventory();
    this.forest = parts.forest();
    this.holders = parts.holdings();
    this.fairness = parts.fairness();
  }

  /** Something else than a workload has changed: all trees are looked at. */
  public void forget() {
    quiet.clear();
  }

  /**
   * Whether decisions depend on nothing but their tree: not on the readiness of all admitted
   * workloads, on variants, on what was used lately, or on places.
   */
  private boolean isOn() {
    return !configuration.blocksAdmission()
        && !configuration.on(FeatureGate.CONCURRENT_ADMISSION)
        && !fairness.isOn()
        && inventory.topologies().isUnused();
  }

  /** A cycle begins; one before it may have failed. */
  public void begin() {
    seen.clear();
  }

  /**
   * Whether a cycle need not look at the heads in that tree.
   *
   * @param heads all that it would consider
   */
  boolean isQuiet(NodeName root, QuotaTree tree, List<Head> heads, Instant now) {
    State known = quiet.remove(root);
    if (!isOn() || heads.stream().anyMatch(it -> it.progress() != null || it.secondPass())) {
      return false;
    }
    State state = new State(tree, holders.changes(root), List.copyOf(heads), now);
    if (known != null && known.isSame(state) && now.isBefore(known.since().plus(LONGEST))) {
      quiet.put(root, known);
      return true;
    }
    seen.put(root, state);
    return false;
  }

  /** The cycle is over; the verdicts and their outcomes are in the same order. */
  public void concluded(List<Verdict> verdicts, List<Outcome> outcomes) {
    Set<NodeName> lively = new HashSet<>();
    for (int i = 0; i < verdicts.size(); i++) {
      NodeName root = forest.rootOf(outcomes.get(i).clusterQueue());
      if (root != null && !hasNoEffect(verdicts.get(i), outcomes.get(i))) {
        lively.add(root);
      }
    }
    seen.keySet().removeAll(lively);
    quiet.putAll(seen);
    seen.clear();
  }

  /**
   * Whether neither a status nor the search for flavors has come any further. A head that waits in
   * a StrictFIFO queue has an effect: it may block the queue.
   */
  private static boolean hasNoEffect(Verdict verdict, Outcome outcome) {
    boolean staysReady =
        switch (verdict.decision()) {
          case Decision.Preempting _, Decision.Deferred _, Decision.Skipped _ -> true;
          default -> false;
        };
    Assignment progress = verdict.progress();
    return staysReady
        && outcome.hasNoEffect()
        && (progress == null || LastAssignment.fromTheStart(progress));
  }
}
