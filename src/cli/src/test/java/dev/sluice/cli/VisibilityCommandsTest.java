package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator chooses of the visibility API. */
class VisibilityCommandsTest {
  private static final String GATE_OFF = "--feature-gates=VisibilityOnDemand=false";

  @TempDir private Path folder;

  @Test
  void withoutTheGateNothingIsServed() {
    Commands.Ran ran = Commands.run("see", GATE_OFF);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("VisibilityOnDemand is off");
  }

  @Test
  void withoutTheGateNothingIsInstalled() {
    assertThat(Commands.run("install").out()).contains("kind: APIService", "sluice-see-authority");
    assertThat(Commands.run("install", GATE_OFF).out())
        .doesNotContain("kind: APIService", "sluice-see-authority");
  }

  @Test
  void theRoleOfTheSystemNamespaceIsLeftToOthersOnRequest() {
    assertThat(Commands.run("install").out()).contains("namespace: kube-system");
    assertThat(Commands.run("install", "--no-auth-reader").out())
        .contains("kind: APIService")
        .doesNotContain("sluice-see-auth-reader");
  }

  @Test
  void theApiServerBoundsRequestsOnRequest() {
    assertThat(Commands.run("install").out()).doesNotContain("metadata:\n  name: visibility\n");
    assertThat(Commands.run("install", "--visibility-apf").out())
        .contains("kind: PriorityLevelConfiguration\nmetadata:\n  name: visibility\n")
        .contains("kind: FlowSchema\nmetadata:\n  name: visibility\n");
    assertThat(Commands.run("install", "--visibility-apf", GATE_OFF).out())
        .doesNotContain("metadata:\n  name: visibility\n");
  }

  @Test
  void forecastsAreWrittenToWorkloadsOnRequestAndNobodyMayDoThatOtherwise() {
    assertThat(Commands.run("install").out())
        .doesNotContain("sluice-see-forecasts", "--annotate-forecasts");
    assertThat(Commands.run("install", "--forecast-annotations").out())
        .contains("name: sluice-see-forecasts", "- --annotate-forecasts");
    assertThat(Commands.run("install", "--forecast-annotations", GATE_OFF).out())
        .doesNotContain("sluice-see-forecasts", "--annotate-forecasts");
  }

  @Test
  void thereAreNoForecastsToWriteWithoutAHistory() {
    Commands.Ran ran = Commands.run("see", "--annotate-forecasts");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--annotate-forecasts", "--history DIR");
  }

  @Test
  void theLabelsOfAPrometheusAreOfNoUseWithoutMonitoring() {
    assertThat(
            Commands.run("install", "--monitoring", "--monitoring-label", "release=prometheus")
                .out())
        .contains("    release: prometheus\n");
    assertThat(Commands.run("install", "--monitoring-label", "release=prometheus").err())
        .contains("--monitoring");
    assertThat(Commands.run("install", "--monitoring", "--monitoring-label", "a b=c").err())
        .contains("label: a b=c");
  }

  @Test
  void thePortOfTheConfigurationIsInstalled() throws IOException {
    Path configuration =
        Files.writeString(
            folder.resolve("config.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            visibilityServer:
              bindPort: 9082
            """);

    assertThat(Commands.run("install", "--config", configuration.toString()).out())
        .contains("--port=9082", "containerPort: 9082")
        .doesNotContain("8082");
  }

  @Test
  void aPortThatIsNoneIsRefusedBeforeAnythingStarts() {
    Commands.Ran ran = Commands.run("see", "--port=70000");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("--port: ").contains("70000");
  }
}
