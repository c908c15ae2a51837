package dev.sluice.scheduler.engine;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling;
import dev.sluice.quota.configuration.AdmissionFairSharingSettings;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.configuration.FairSharingSettings;
import dev.sluice.quota.configuration.FeatureGates;
import dev.sluice.quota.configuration.PodsReadySettings;
import dev.sluice.quota.configuration.PreemptionStrategy;
import dev.sluice.quota.configuration.ResourceSettings;
import dev.sluice.quota.configuration.ResourceTransformation;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** From a Configuration to what decides how the engine decides. */
public final class EngineSettings {
  private EngineSettings() {}

  /** The settings that a configuration stands for. */
  public static EngineConfiguration of(Configuration configuration) {
    Scheduling scheduling = configuration.scheduling();
    EngineConfiguration settings =
        EngineConfiguration.defaults()
            .withGates(gates(configuration))
            .withResources(resources(scheduling.resources()));
    if (scheduling.fairSharing().isPresent()) {
      settings = settings.withFairSharing(fairSharing(scheduling.fairSharing().get()));
    }
    if (scheduling.admissionFairSharing().isPresent()) {
      settings =
          settings.withAdmissionFairSharing(between(scheduling.admissionFairSharing().get()));
    }
    if (scheduling.waitForPodsReady().isPresent()) {
      var ready = scheduling.waitForPodsReady().get();
      settings =
          settings.withPodsReady(
              new PodsReadySettings(ready.blockAdmission(), ready.requeuing().byCreation()));
    }
    return settings;
  }

  private static FeatureGates gates(Configuration configuration) {
    Map<String, Boolean> gates = new HashMap<>();
    for (FeatureGate gate : FeatureGate.values()) {
      gates.put(gate.toString(), configuration.featureGates().isOn(gate));
    }
    return FeatureGates.of(gates);
  }

  private static ResourceSettings resources(Scheduling.Resources resources) {
    return new ResourceSettings(
        resources.excludedPrefixes(),
        resources.transformations().stream()
            .map(
                t ->
                    new ResourceTransformation(
                        t.input(), !t.replace(), t.multiplyBy().orElse(null), t.outputs()))
            .toList(),
        resources.ignoreUndeclared());
  }

  private static FairSharingSettings fairSharing(Scheduling.FairSharing given) {
    List<PreemptionStrategy> strategies =
        given.preemptionStrategies().stream()
            .flatMap(strategy -> PreemptionStrategy.find(strategy.toString()).stream())
            .toList();
    return strategies.isEmpty() ? FairSharingSettings.DEFAULT : new FairSharingSettings(strategies);
  }

  private static AdmissionFairSharingSettings between(Scheduling.AdmissionFairSharing given) {
    Map<String, BigDecimal> weights = new LinkedHashMap<>();
    given
        .resourceWeights()
        .forEach((name, weight) -> weights.put(name, BigDecimal.valueOf(weight)));
    return new AdmissionFairSharingSettings(
        given.usageHalfLife(), given.samplingInterval(), weights);
  }
}
