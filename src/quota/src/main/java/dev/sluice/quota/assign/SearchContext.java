package dev.sluice.quota.assign;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.preempt.TargetSearch;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.QueueRules;
import java.util.List;
import java.util.Map;

/**
 * What a search for flavors looks at.
 *
 * @param pins flavors that an earlier assignment of the same cycle settled on, by PodSet and
 *     resource; no other flavor is considered for these
 * @param node the ClusterQueue of the head in the tree
 */
record SearchContext(
    TreeTrial trial,
    FlavorCatalog catalog,
    Placement placement,
    EngineConfiguration configuration,
    Head head,
    Map<Slot, String> pins,
    QuotaOracle oracle,
    FlavorPreference preference,
    int node) {
  static SearchContext of(
      TreeTrial trial,
      FlavorCatalog catalog,
      Placement placement,
      TargetSearch search,
      EngineConfiguration configuration,
      Head head,
      Map<Slot, String> pins) {
    QueueRules rules = head.rules();
    return new SearchContext(
        trial,
        catalog,
        placement,
        configuration,
        head,
        pins,
        new QuotaOracle(trial, search, configuration.fairSharing() != null, head),
        new FlavorPreference(rules.fungibility(), configuration.on(FeatureGate.FLAVOR_FUNGIBILITY)),
        trial.node(rules.name()));
  }

  /** The PodSets of the head. */
  List<PodSet> podSets() {
    return head.workload().workload().spec().podSets();
  }
}
