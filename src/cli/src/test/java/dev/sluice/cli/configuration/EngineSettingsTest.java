package dev.sluice.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.Quantity;
import dev.sluice.quota.configuration.AdmissionFairSharingSettings;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.configuration.FairSharingSettings;
import dev.sluice.quota.configuration.Gate;
import dev.sluice.quota.configuration.PodsReadySettings;
import dev.sluice.quota.configuration.PreemptionStrategy;
import dev.sluice.quota.configuration.ResourceSettings;
import dev.sluice.quota.configuration.ResourceTransformation;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineSettingsTest {
  @Test
  void anEmptyConfigurationIsTheDefault() throws JsonProcessingException {
    assertThat(read("{}")).isEqualTo(EngineConfiguration.defaults());
  }

  @Test
  void readsEverythingThatDecisionsDependOn() throws JsonProcessingException {
    EngineConfiguration settings =
        read(
            """
            {"controllerManager": {"leaderElection": {}},
             "fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]},
             "admissionFairSharing": {"usageHalfLifeTime": "168h", "resourceWeights": {"cpu": 2.5}},
             "resources": {
               "excludeResourcePrefixes": ["example.com/"],
               "quotaCheckStrategy": "IgnoreUndeclared",
               "transformations": [{"input": "gpu", "strategy": "Replace", "multiplyBy": "memory", "outputs": {"credits": "50"}}]},
             "waitForPodsReady": {"blockAdmission": true, "requeuingStrategy": {"timestamp": "Creation"}},
             "featureGates": {"PartialAdmission": false, "NobodyKnowsThis": true}}
            """);

    assertThat(settings.fairSharing())
        .isEqualTo(new FairSharingSettings(List.of(PreemptionStrategy.LESS_THAN_INITIAL_SHARE)));
    assertThat(settings.admissionFairSharing())
        .isEqualTo(
            new AdmissionFairSharingSettings(
                Duration.ofDays(7),
                AdmissionFairSharingSettings.DEFAULT_SAMPLING_INTERVAL,
                Map.of("cpu", new BigDecimal("2.5"))));
    assertThat(settings.resources())
        .isEqualTo(
            new ResourceSettings(
                List.of("example.com/"),
                List.of(
                    new ResourceTransformation(
                        "gpu", false, "memory", Map.of("credits", Quantity.of(50)))),
                true));
    assertThat(settings.podsReady()).isEqualTo(new PodsReadySettings(true, true));
    assertThat(settings.on(Gate.PARTIAL_ADMISSION)).isFalse();
    assertThat(settings.on(Gate.FLAVOR_FUNGIBILITY)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"'{}', true", "'{\"enable\": true}', true", "'{\"enable\": false}', false"})
  void fairSharingThatIsThereIsOnUnlessItSaysOtherwise(String fairSharing, boolean on)
      throws JsonProcessingException {
    EngineConfiguration settings = read("{\"fairSharing\": " + fairSharing + "}");

    assertThat(settings.fairSharing()).isEqualTo(on ? FairSharingSettings.DEFAULT : null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"resources": {"transformations": [{"input": "a", "strategy": "Drop"}]}} | resources.transformations[].strategy: Drop (expected: Retain or Replace)
          {"admissionFairSharing": {"usageHalfLifeTime": "long"}} | admissionFairSharing.usageHalfLifeTime: long (expected: a duration like 1h30m or 45s)
          {"featureGates": {"PartialAdmission": "off"}} | ConfigurationFile: featureGates[PartialAdmission]: "off" (expected: true or false)
          """)
  void namesTheFieldThatIsMalformed(String configuration, String problem) {
    assertThatIllegalArgumentException().isThrownBy(() -> read(configuration)).withMessage(problem);
  }

  private static EngineConfiguration read(String json) throws JsonProcessingException {
    return EngineSettings.read(new ObjectMapper().readTree(json));
  }
}
