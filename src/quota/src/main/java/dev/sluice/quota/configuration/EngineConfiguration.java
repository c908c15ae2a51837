package dev.sluice.quota.configuration;

import org.jspecify.annotations.Nullable;

/**
 * All that decides how the engine decides.
 *
 * @param fairSharing null for the classical order and preemption
 * @param admissionFairSharing null where queues do not order by the usage of LocalQueues
 */
public record EngineConfiguration(
    @Nullable FairSharingSettings fairSharing,
    @Nullable AdmissionFairSharingSettings admissionFairSharing,
    ResourceSettings resources,
    PodsReadySettings podsReady,
    FeatureGates gates) {
  /** Every setting as it is by default. */
  public static EngineConfiguration defaults() {
    return new EngineConfiguration(
        null, null, ResourceSettings.NONE, PodsReadySettings.DEFAULT, FeatureGates.defaults());
  }

  /** Whether the gate is on. */
  public boolean on(Gate gate) {
    return gates.on(gate);
  }

  public EngineConfiguration withFairSharing(FairSharingSettings settings) {
    return new EngineConfiguration(settings, admissionFairSharing, resources, podsReady, gates);
  }

  public EngineConfiguration withAdmissionFairSharing(AdmissionFairSharingSettings settings) {
    return new EngineConfiguration(fairSharing, settings, resources, podsReady, gates);
  }

  public EngineConfiguration withResources(ResourceSettings settings) {
    return new EngineConfiguration(fairSharing, admissionFairSharing, settings, podsReady, gates);
  }

  public EngineConfiguration withPodsReady(PodsReadySettings settings) {
    return new EngineConfiguration(fairSharing, admissionFairSharing, resources, settings, gates);
  }

  public EngineConfiguration withGates(FeatureGates settings) {
    return new EngineConfiguration(
        fairSharing, admissionFairSharing, resources, podsReady, settings);
  }
}
