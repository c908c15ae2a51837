package dev.sluice.quota.configuration;

import java.util.Optional;

/** The peer's feature gates that change a decision, with their defaults (reference: 0). */
public enum Gate {
  PARTIAL_ADMISSION("PartialAdmission", true),
  FLAVOR_FUNGIBILITY("FlavorFungibility", true),
  PRESERVE_SCAN_PROGRESS("FlavorFungibilityPreserveScanProgress", true),
  PRIORITY_SORTING_WITHIN_COHORT("PrioritySortingWithinCohort", true),
  FAIR_SHARING_PREEMPT_WITHIN_NOMINAL("FairSharingPreemptWithinNominal", true),
  FAIR_SHARING_PRIORITIZE_NON_BORROWING("FairSharingPrioritizeNonBorrowing", true),
  PRIORITIZE_PREEMPTOR_WORKLOADS("PrioritizePreemptorWorkloads", false),
  RECOMPUTE_UPON_TARGETS_OVERLAP("RecomputeAssignmentUponPreemptionTargetsOverlap", true),
  SCHEDULING_EQUIVALENCE_HASHING("SchedulingEquivalenceHashing", true),
  RECLAIMABLE_PODS("ReclaimablePods", true),
  QUOTA_CHECK_STRATEGY("QuotaCheckStrategy", true),
  PRIORITY_BOOST("PriorityBoost", false),
  ADMISSION_GATED_BY("AdmissionGatedBy", true),
  ADMISSION_FAIR_SHARING("AdmissionFairSharing", true),
  UNADMITTED_WORKLOADS_OBSERVABILITY("UnadmittedWorkloadsObservability", true),
  ELASTIC_JOBS_VIA_WORKLOAD_SLICES("ElasticJobsViaWorkloadSlices", true),
  CONCURRENT_ADMISSION("ConcurrentAdmission", false),
  MULTI_KUEUE_ORCHESTRATED_PREEMPTION("MultiKueueOrchestratedPreemption", false),
  TOPOLOGY_AWARE_SCHEDULING("TopologyAwareScheduling", true),
  TAS_RECOMPUTE_WITHIN_CYCLE("TASRecomputeAssignmentWithinSchedulingCycle", true),
  TAS_PROFILE_MIXED("TASProfileMixed", true),
  TAS_BALANCED_PLACEMENT("TASBalancedPlacement", false),
  TAS_MULTI_LAYER_TOPOLOGY("TASMultiLayerTopology", true),
  TAS_RESPECT_NODE_AFFINITY_PREFERRED("TASRespectNodeAffinityPreferred", false),
  TAS_FAILED_NODE_REPLACEMENT("TASFailedNodeReplacement", true),
  TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST("TASFailedNodeReplacementFailFast", true),
  SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS("SkipReassignmentForPodOwnedWorkloads", true),
  TAS_HANDLE_OVERLAPPING_FLAVORS("TASHandleOverlappingFlavors", true);

  private final String text;
  private final boolean onByDefault;

  Gate(String text, boolean onByDefault) {
    this.text = text;
    this.onByDefault = onByDefault;
  }

  /** The name in a configuration. */
  public String text() {
    return text;
  }

  public boolean onByDefault() {
    return onByDefault;
  }

  /** The gate of that name; empty for one that changes nothing here. */
  public static Optional<Gate> find(String text) {
    for (Gate gate : values()) {
      if (gate.text.equals(text)) {
        return Optional.of(gate);
      }
    }
    return Optional.empty();
  }
}
