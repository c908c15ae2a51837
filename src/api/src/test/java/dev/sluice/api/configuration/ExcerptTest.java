package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Documents.json;
import static dev.sluice.api.configuration.Documents.v1beta1;
import static dev.sluice.api.configuration.Documents.v1beta2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Scheduling.FairSharing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scenarios and simulations say of their configuration. */
class ExcerptTest {
  @Test
  void nothingMeansTheDefaults() {
    for (JsonNode document : List.of(json("{}"), v1beta2(""))) {
      Configuration configuration = ConfigurationReader.excerpt(document);

      assertThat(configuration.scheduling()).isEqualTo(Configuration.defaults("a").scheduling());
      assertThat(configuration.featureGates()).isEqualTo(FeatureGates.DEFAULT);
    }
  }

  @Test
  void fairSharingWithoutStrategiesHasBoth() {
    Configuration configuration = ConfigurationReader.excerpt(json("{fairSharing: {}}"));

    assertThat(configuration.scheduling().fairSharing()).contains(FairSharing.BOTH);
  }

  @Test
  void whatItLeftEmptyHasItsDefault() {
    Configuration configuration =
        ConfigurationReader.excerpt(
            json(
                "{fairSharing: {preemptionStrategies: []},"
                    + " admissionFairSharing: {usageSamplingInterval: '0s'}}"));

    assertThat(configuration.scheduling().fairSharing()).contains(FairSharing.BOTH);
    assertThat(configuration.scheduling().admissionFairSharing().orElseThrow().samplingInterval())
        .isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void theSwitchesOfTheOlderVersionHoldThere() {
    var off = ConfigurationReader.excerpt(v1beta1("fairSharing: {enable: false}"));

    assertThat(off.scheduling().fairSharing()).isEmpty();
  }

  @Test
  void aGateMayBeSetWithoutThoseItNeedsAndUnknownOnesArePassedOver() {
    FeatureGates gates =
        ConfigurationReader.excerpt(
                json("{featureGates: {TopologyAwareScheduling: false, NobodyKnowsThis: true}}"))
            .featureGates();

    assertThat(gates)
        .isEqualTo(FeatureGates.DEFAULT.with(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {resources: {transformations: [{input: a, strategy: Drop}]}} | resources.transformations[0].strategy: "Drop" (expected: one of Retain, Replace)
          {admissionFairSharing: {usageHalfLifeTime: long}} | admissionFairSharing.usageHalfLifeTime: "long" (expected: a time such as 30s, 5m or 1h30m)
          {featureGates: {PartialAdmission: off}} | featureGates[PartialAdmission]: "off" (expected: true or false)
          {fairSharng: {}, resources: 1} | fairSharng: unknown field (did you mean fairSharing?); resources: 1 (expected: an object)
          """)
  void namesEachFieldThatIsWrong(String document, String problems) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConfigurationReader.excerpt(json(document)))
        .withMessage(problems);
  }
}
