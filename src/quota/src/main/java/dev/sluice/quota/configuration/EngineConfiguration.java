package dev.sluice.quota.configuration;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Scheduling;
import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link Configuration} that the engine uses.
 *
 * @param fairSharing null for the classical order and preemption
 * @param admissionFairSharing null where queues do not order by the usage of LocalQueues
 * @param resources how requests are read
 * @param waitForPodsReady null where admission does not wait for pods
 */
public record EngineConfiguration(
    @Nullable FairSharing fairSharing,
    @Nullable AdmissionFairSharing admissionFairSharing,
    Resources resources,
    @Nullable WaitForPodsReady waitForPodsReady,
    FeatureGates gates) {
  private static final EngineConfiguration DEFAULTS = of(Configuration.defaults("default"));

  /** Every setting as it is by default. */
  public static EngineConfiguration defaults() {
    return DEFAULTS;
  }

  /** What an operator chose. */
  public static EngineConfiguration of(Configuration configuration) {
    Scheduling scheduling = configuration.scheduling();
    return new EngineConfiguration(
        scheduling.fairSharing().orElse(null),
        scheduling.admissionFairSharing().orElse(null),
        scheduling.resources(),
        scheduling.waitForPodsReady().orElse(null),
        configuration.featureGates());
  }

  /** Whether the gate is on. */
  public boolean on(FeatureGate gate) {
    return gates.isOn(gate);
  }

  /** How LocalQueues share fairly; empty where they do not. */
  public Optional<AdmissionFairSharing> sharingOfLocalQueues() {
    return on(FeatureGate.ADMISSION_FAIR_SHARING)
        ? Optional.ofNullable(admissionFairSharing)
        : Optional.empty();
  }

  /** Whether devices that pods claim are counted, for which their templates must be known. */
  public boolean countsDevices() {
    return on(FeatureGate.KUEUE_DRA_INTEGRATION) && !resources.deviceClassMappings().isEmpty();
  }

  /** The drivers whose ResourceSlices say what devices count as. */
  public Set<String> driversOfDevices() {
    return countsDevices()
        ? resources.deviceClassMappings().stream()
            .flatMap(mapping -> mapping.sources().stream())
            .map(DeviceSource::driver)
            .collect(Collectors.toUnmodifiableSet())
        : Set.of();
  }

  /** Whether a class of devices may serve a resource of containers. */
  public boolean countsServedResources() {
    return countsDevices() && on(FeatureGate.KUEUE_DRA_INTEGRATION_EXTENDED_RESOURCE);
  }

  /** Whether nothing is admitted while an admitted workload is not ready. */
  public boolean blocksAdmission() {
    return waitForPodsReady != null && waitForPodsReady.blockAdmission();
  }

  /**
   * Whether a workload evicted because its pods were not ready keeps its place by creation, instead
   * of by its eviction.
   */
  public boolean requeuesByCreation() {
    return waitForPodsReady != null && waitForPodsReady.requeuing().byCreation();
  }

  public EngineConfiguration withFairSharing(FairSharing settings) {
    return new EngineConfiguration(
        settings, admissionFairSharing, resources, waitForPodsReady, gates);
  }

  public EngineConfiguration withAdmissionFairSharing(AdmissionFairSharing settings) {
    return new EngineConfiguration(fairSharing, settings, resources, waitForPodsReady, gates);
  }

  public EngineConfiguration withResources(Resources settings) {
    return new EngineConfiguration(
        fairSharing, admissionFairSharing, settings, waitForPodsReady, gates);
  }

  public EngineConfiguration withWaitForPodsReady(WaitForPodsReady settings) {
    return new EngineConfiguration(fairSharing, admissionFairSharing, resources, settings, gates);
  }

  public EngineConfiguration withGates(FeatureGates settings) {
    return new EngineConfiguration(
        fairSharing, admissionFairSharing, resources, waitForPodsReady, settings);
  }
}
