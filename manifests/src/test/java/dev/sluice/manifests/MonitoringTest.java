package dev.sluice.manifests;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitoringTest {
  private static final Target SERVICE = new Target.Service("queues", "gate", 8443);

  private static List<ObjectNode> documents(Monitoring monitoring) {
    return Installation.into(SERVICE)
        .configuredBy(ServerConfiguration.NONE.monitored(monitoring))
        .documents();
  }

  private static List<ObjectNode> ofKind(String kind, List<ObjectNode> documents) {
    return documents.stream().filter(it -> it.path("kind").asText().equals(kind)).toList();
  }

  /** A role is a container: its program serves metrics on the plain port beside its probes. */
  @Test
  void eachContainerIsScrapedAtThePortOfItsProbesByItsName() {
    List<ObjectNode> documents = documents(Monitoring.PLAIN);
    Map<String, List<JsonNode>> scraped = new HashMap<>();
    for (ObjectNode monitor : ofKind("PodMonitor", documents)) {
      scraped.put(
          monitor.at("/spec/selector/matchLabels").toString(),
          monitor.at("/spec/podMetricsEndpoints").valueStream().toList());
    }

    List<ObjectNode> deployments = ofKind("Deployment", documents);
    assertThat(scraped).hasSameSizeAs(deployments);
    for (ObjectNode deployment : deployments) {
      List<JsonNode> endpoints =
          requireNonNull(
              scraped.get(deployment.at("/spec/selector/matchLabels").toString()),
              "no PodMonitor of a Deployment");
      JsonNode containers = deployment.at("/spec/template/spec/containers");
      assertThat(endpoints).as("%s", deployment.path("metadata")).hasSize(containers.size());
      for (int i = 0; i < containers.size(); i++) {
        JsonNode port =
            containers.get(i).path("ports").path(containers.get(i).path("ports").size() - 1);
        JsonNode probed = containers.get(i).at("/livenessProbe/httpGet/port");
        assertThat(endpoints.get(i).path("port")).isEqualTo(port.path("name"));
        assertThat(probed).isIn(port.path("name"), port.path("containerPort"));
        assertThat(endpoints.get(i).path("path").asText()).isEqualTo("/metrics");
        assertThat(endpoints.get(i).path("scheme").asText("http")).isEqualTo("http");
      }
    }
  }

  /** Otherwise the operator makes it {@code exported_namespace}, which no dashboard asks for. */
  @Test
  void theNamespaceOfALocalQueueKeepsItsLabel() {
    assertThat(ofKind("PodMonitor", documents(Monitoring.PLAIN)))
        .hasSize(2)
        .allSatisfy(
            it ->
                assertThat(it.at("/spec/podMetricsEndpoints"))
                    .isNotEmpty()
                    .allMatch(endpoint -> endpoint.path("honorLabels").asBoolean()));
  }

  @Test
  void whatAPrometheusSelectsByLabelsHasThem() {
    List<ObjectNode> documents =
        documents(new Monitoring(true, Map.of("release", "prometheus", "example.org/team", "")));

    for (ObjectNode document : documents) {
      JsonNode labels = document.at("/metadata/labels");
      switch (document.path("kind").asText()) {
        case "PodMonitor", "PrometheusRule" -> {
          assertThat(labels.path("release").asText()).isEqualTo("prometheus");
          assertThat(labels.path("example.org/team").asText("none")).isEmpty();
          assertThat(labels.path("app.kubernetes.io/part-of").asText()).isEqualTo("sluice");
        }
        default -> assertThat(labels.has("release")).as("%s", document).isFalse();
      }
    }
    assertThat(ofKind("PodMonitor", documents)).hasSize(2);
    assertThat(ofKind("PrometheusRule", documents)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'', a",
    "a b, a",
    "-a, a",
    "a/b/c, a",
    "A.org/a, a",
    "a, a b",
    "a, -",
    "/a, a",
    "app.kubernetes.io/part-of, other"
  })
  void aLabelThatTheApiServerDoesNotTakeOrThatIsOursIsRefused(String key, String value) {
    assertThatThrownBy(() -> new Monitoring(true, Map.of(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("label: " + key);
  }
}
