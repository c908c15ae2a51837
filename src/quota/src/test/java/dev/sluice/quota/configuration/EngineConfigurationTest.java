package dev.sluice.quota.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.configuration.Scheduling.PreemptionStrategy;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.configuration.Scheduling.Transformation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineConfigurationTest {
  @Test
  void anEmptyConfigurationIsTheDefault() throws JsonProcessingException {
    EngineConfiguration settings = read("{}");

    assertThat(settings).isEqualTo(EngineConfiguration.defaults());
    assertThat(settings.fairSharing()).isNull();
    assertThat(settings.resources()).isEqualTo(Resources.AS_THEY_ARE);
    assertThat(settings.blocksAdmission()).isFalse();
    assertThat(settings.requeuesByCreation()).isFalse();
  }

  @Test
  void takesEverythingThatDecisionsDependOn() throws JsonProcessingException {
    EngineConfiguration settings =
        read(
            """
            {"fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]},
             "admissionFairSharing": {"usageHalfLifeTime": "168h", "resourceWeights": {"cpu": 2.5}},
             "resources": {
               "excludeResourcePrefixes": ["example.com/"],
               "quotaCheckStrategy": "IgnoreUndeclared",
               "transformations": [{"input": "gpu", "strategy": "Replace",
                 "multiplyBy": "memory", "outputs": {"credits": "50"}}]},
             "waitForPodsReady": {"blockAdmission": true,
               "requeuingStrategy": {"timestamp": "Creation"}},
             "featureGates": {"PartialAdmission": false}}
            """);

    assertThat(settings.fairSharing())
        .isEqualTo(new FairSharing(List.of(PreemptionStrategy.LESS_THAN_INITIAL_SHARE)));
    assertThat(settings.admissionFairSharing())
        .isEqualTo(
            new AdmissionFairSharing(
                Duration.ofDays(7), AdmissionFairSharing.DEFAULT_INTERVAL, Map.of("cpu", 2.5)));
    assertThat(settings.resources())
        .isEqualTo(
            new Resources(
                List.of("example.com/"),
                true,
                List.of(
                    new Transformation(
                        "gpu", true, Optional.of("memory"), Map.of("credits", Quantity.of(50)))),
                List.of()));
    assertThat(settings.blocksAdmission()).isTrue();
    assertThat(settings.requeuesByCreation()).isTrue();
    assertThat(settings.on(FeatureGate.PARTIAL_ADMISSION)).isFalse();
    assertThat(settings.on(FeatureGate.FLAVOR_FUNGIBILITY)).isTrue();
  }

  private static EngineConfiguration read(String json) throws JsonProcessingException {
    return EngineConfiguration.of(ConfigurationReader.excerpt(new ObjectMapper().readTree(json)));
  }
}
