package dev.sluice.cli.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.read.HubObjects;
import dev.sluice.quota.configuration.AdmissionFairSharingSettings;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.configuration.FairSharingSettings;
import dev.sluice.quota.configuration.FeatureGates;
import dev.sluice.quota.configuration.PodsReadySettings;
import dev.sluice.quota.configuration.PreemptionStrategy;
import dev.sluice.quota.configuration.ResourceSettings;
import dev.sluice.quota.configuration.ResourceTransformation;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** From a configuration file to the settings of the engine. */
public final class EngineSettings {
  private EngineSettings() {}

  /**
   * The settings that a configuration stands for.
   *
   * @throws IllegalArgumentException naming the field, if the configuration is malformed
   */
  public static EngineConfiguration read(JsonNode configuration) {
    return of(HubObjects.read(ConfigurationFile.class, configuration));
  }

  static EngineConfiguration of(ConfigurationFile file) {
    EngineConfiguration settings =
        EngineConfiguration.defaults()
            .withResources(resources(file.resources()))
            .withGates(FeatureGates.of(file.featureGates()));
    ConfigurationFile.FairSharing fairSharing = file.fairSharing();
    if (fairSharing != null && fairSharing.enable()) {
      settings = settings.withFairSharing(fairSharing(fairSharing));
    }
    ConfigurationFile.AdmissionFairSharing admission = file.admissionFairSharing();
    if (admission != null) {
      settings = settings.withAdmissionFairSharing(admissionFairSharing(admission));
    }
    ConfigurationFile.WaitForPodsReady podsReady = file.waitForPodsReady();
    if (podsReady != null && podsReady.enable()) {
      settings = settings.withPodsReady(podsReady(podsReady));
    }
    return settings;
  }

  private static ResourceSettings resources(ConfigurationFile.Resources resources) {
    return new ResourceSettings(
        resources.excludeResourcePrefixes(),
        resources.transformations().stream().map(EngineSettings::transformation).toList(),
        "IgnoreUndeclared".equals(resources.quotaCheckStrategy()));
  }

  private static ResourceTransformation transformation(ConfigurationFile.Transformation given) {
    boolean retain =
        switch (given.strategy()) {
          case "Retain" -> true;
          case "Replace" -> false;
          default ->
              throw malformed(
                  "resources.transformations[].strategy", given.strategy(), "Retain or Replace");
        };
    return new ResourceTransformation(given.input(), retain, given.multiplyBy(), given.outputs());
  }

  private static FairSharingSettings fairSharing(ConfigurationFile.FairSharing fairSharing) {
    if (fairSharing.preemptionStrategies().isEmpty()) {
      return FairSharingSettings.DEFAULT;
    }
    List<PreemptionStrategy> strategies =
        fairSharing.preemptionStrategies().stream().map(EngineSettings::strategy).toList();
    return new FairSharingSettings(strategies);
  }

  private static PreemptionStrategy strategy(String text) {
    return PreemptionStrategy.find(text)
        .orElseThrow(
            () ->
                malformed(
                    "fairSharing.preemptionStrategies",
                    text,
                    "LessThanOrEqualToFinalShare or LessThanInitialShare"));
  }

  private static AdmissionFairSharingSettings admissionFairSharing(
      ConfigurationFile.AdmissionFairSharing given) {
    String interval = given.usageSamplingInterval();
    Map<String, BigDecimal> weights = new LinkedHashMap<>();
    for (Map.Entry<String, Quantity> weight : given.resourceWeights().entrySet()) {
      weights.put(weight.getKey(), weight.getValue().value());
    }
    return new AdmissionFairSharingSettings(
        duration("admissionFairSharing.usageHalfLifeTime", given.usageHalfLifeTime()),
        interval == null
            ? AdmissionFairSharingSettings.DEFAULT_SAMPLING_INTERVAL
            : duration("admissionFairSharing.usageSamplingInterval", interval),
        weights);
  }

  private static PodsReadySettings podsReady(ConfigurationFile.WaitForPodsReady given) {
    return new PodsReadySettings(
        given.blockAdmission(), given.requeuingStrategy().timestamp().equals("Creation"));
  }

  private static Duration duration(String field, String text) {
    try {
      return GoDuration.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  private static IllegalArgumentException malformed(String field, String text, String expected) {
    return new IllegalArgumentException(field + ": " + text + " (expected: " + expected + ")");
  }
}
