package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.FeatureGate.MULTI_KUEUE_CLUSTER_PROFILE;
import static dev.sluice.api.configuration.FeatureGate.MULTI_KUEUE_MANAGER_QUOTA_AUTOMATION;
import static dev.sluice.api.configuration.FeatureGate.MULTI_KUEUE_ORCHESTRATED_PREEMPTION;
import static dev.sluice.api.configuration.FeatureGate.POD_INTEGRATION_VALIDATE_GROUP_OWNER;
import static dev.sluice.api.configuration.FeatureGate.REMOVE_FINALIZERS_WITH_STRICT_PATCH;
import static dev.sluice.api.configuration.FeatureGate.SCHEDULER_LIBRARY_INTEGRATION;
import static dev.sluice.api.configuration.FeatureGate.TAS_CACHE_NODE_MATCH_RESULTS;
import static dev.sluice.api.configuration.FeatureGate.TAS_CACHE_TOPOLOGY_TREE;
import static dev.sluice.api.configuration.FeatureGate.TAS_CACHING_REMAINING_RESOURCES;
import static dev.sluice.api.configuration.FeatureGate.VECTORIZED_RESOURCE_REQUESTS;

import java.util.Map;
import java.util.Optional;

/** Gates that cannot leave their default here, each with the reason in one sentence. */
final class FeatureGateRefusals {
  private static final String OWN_CACHES = "the caches of Sluice cannot be switched off";

  private static final Map<FeatureGate, String> REASONS =
      Map.ofEntries(
          Map.entry(MULTI_KUEUE_CLUSTER_PROFILE, "Sluice finds other clusters by kubeconfigs only"),
          Map.entry(
              MULTI_KUEUE_MANAGER_QUOTA_AUTOMATION,
              "Sluice does not compute the quota of a manager from its workers yet"),
          Map.entry(
              MULTI_KUEUE_ORCHESTRATED_PREEMPTION,
              "Sluice does not hold back preemptions on workers yet"),
          Map.entry(
              POD_INTEGRATION_VALIDATE_GROUP_OWNER,
              "the owners of a pod group's Workload are always validated"),
          Map.entry(
              REMOVE_FINALIZERS_WITH_STRICT_PATCH,
              "every patch that removes a finalizer names the version that it was made for"),
          Map.entry(
              SCHEDULER_LIBRARY_INTEGRATION, "Sluice has its own node filter, with equal results"),
          Map.entry(TAS_CACHE_NODE_MATCH_RESULTS, OWN_CACHES),
          Map.entry(TAS_CACHE_TOPOLOGY_TREE, OWN_CACHES),
          Map.entry(TAS_CACHING_REMAINING_RESOURCES, OWN_CACHES),
          Map.entry(VECTORIZED_RESOURCE_REQUESTS, OWN_CACHES));

  private FeatureGateRefusals() {}

  /** Why the gate cannot have that value; empty if it can. */
  static Optional<String> refusal(FeatureGate gate, boolean value) {
    return value == gate.onByDefault()
        ? Optional.empty()
        : Optional.ofNullable(REASONS.get(gate))
            .map(reason -> "%s=%s cannot be obeyed: %s".formatted(gate, value, reason));
  }

  /** Whether only the default can be had. */
  static boolean contains(FeatureGate gate) {
    return REASONS.containsKey(gate);
  }
}
