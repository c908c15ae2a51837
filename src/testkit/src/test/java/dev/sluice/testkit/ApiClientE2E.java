package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlaneException.Reason;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.testkit.json.JsonStyle;
import dev.sluice.testkit.random.SchemaObjects;
import dev.sluice.testkit.random.Schemas;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client, and the random objects, against a real API server. */
@NeedsControlPlane
class ApiClientE2E {
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String BERTHS = "/apis/harbor.example/v1/berths";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int OBJECTS = 100;

  private final ApiClient client;
  private final String name = "map-" + UUID.randomUUID();

  ApiClientE2E(ControlPlane controlPlane) {
    this.client = controlPlane.client();
  }

  @BeforeEach
  void awaitTheDefaultNamespace() {
    client.await("/api/v1/namespaces/default", SOON, _ -> true);
  }

  @Test
  void theApiServerAcceptsEveryObjectDrawnFromItsSchema() {
    client.create(CRDS, crd()).orThrow();
    client.awaitEstablished("berths.harbor.example", SOON);
    client.await(BERTHS, SOON, _ -> true);

    for (int seed = 0; seed < OBJECTS; seed++) {
      var random = new Random(seed);
      var object =
          SchemaObjects.draw(
              random, Schemas.berth(), "harbor.example/v1", "Berth", "drawn-" + seed);
      var answer = client.create(BERTHS, object.write(JsonStyle.scrambled(random)));
      assertThat(answer.status()).as("seed %s: %s", seed, answer).isEqualTo(201);
    }
  }

  @Test
  void writesReadsChangesAndDeletesAnObject() {
    assertThat(client.create(MAPS, map("one")).status()).isEqualTo(201);
    assertThat(client.create(MAPS, map("one")).status()).isEqualTo(409);
    assertThat(client.put(MAPS + "/" + name, map("two")).status()).isEqualTo(200);
    assertThat(value()).isEqualTo("two");
    client.mergePatch(MAPS + "/" + name, "{\"data\":{\"key\":\"three\"}}").orThrow();
    assertThat(value()).isEqualTo("three");
    client
        .jsonPatch(
            MAPS + "/" + name, "[{\"op\":\"replace\",\"path\":\"/data/key\",\"value\":\"four\"}]")
        .orThrow();
    assertThat(value()).isEqualTo("four");
    client.serverSideApply(MAPS + "/" + name, "tester", map("five")).orThrow();
    assertThat(value()).isEqualTo("five");
    assertThat(client.list(MAPS, "name=" + name).json().path("items")).hasSize(1);
    client.delete(MAPS + "/" + name).orThrow();
    assertThat(client.get(MAPS + "/" + name).status()).isEqualTo(404);
  }

  @Test
  void aRefusalIsAnAnswerUntilSuccessIsDemanded() {
    var answer = client.get(MAPS + "/absent");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.json().path("reason").asText()).isEqualTo("NotFound");
    assertThatThrownBy(answer::orThrow)
        .hasMessageStartingWith("404 (expected: success): ")
        .extracting("reason")
        .isEqualTo(Reason.REFUSED);
  }

  @Test
  void aWatchIsReadWhileItGoesOn() throws IOException {
    String since = client.get(MAPS).orThrow().json().at("/metadata/resourceVersion").asText();

    try (var body = client.open(MAPS + "?watch=true&timeoutSeconds=20&resourceVersion=" + since)) {
      client.create(MAPS, map("one")).orThrow();
      var events = new JsonMapper().readerFor(JsonNode.class).<JsonNode>readValues(body);
      assertThat(events.nextValue().at("/object/metadata/name").asText()).isEqualTo(name);
      client.delete(MAPS + "/" + name).orThrow();
      assertThat(events.nextValue().path("type").asText()).isEqualTo("DELETED");
    }
    assertThatThrownBy(() -> client.open(MAPS + "/absent").close())
        .hasMessageContaining("NotFound")
        .extracting("reason")
        .isEqualTo(Reason.REFUSED);
  }

  @Test
  void waitingEndsAtItsBoundWithTheLastAnswer() {
    assertThatThrownBy(() -> client.await(MAPS + "/absent", Duration.ofMillis(200), _ -> true))
        .hasMessageContainingAll("/absent did not become as expected", "NotFound")
        .extracting("reason")
        .isEqualTo(Reason.TIMED_OUT);
  }

  @Test
  void aWrongTokenIsUnauthorized(ControlPlane controlPlane) {
    try (var stranger = new ApiClient(controlPlane.server(), "wrong", controlPlane.caPem())) {
      assertThat(stranger.get(MAPS).status()).isEqualTo(401);
    }
  }

  private String value() {
    return client.get(MAPS + "/" + name).json().at("/data/key").asText();
  }

  private String map(String value) {
    return """
    {"apiVersion": "v1", "kind": "ConfigMap",
     "metadata": {"name": "%1$s", "labels": {"name": "%1$s"}}, "data": {"key": "%2$s"}}
    """
        .formatted(name, value);
  }

  private static String crd() {
    return """
    {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
     "metadata": {"name": "berths.harbor.example"},
     "spec": {"group": "harbor.example", "scope": "Cluster",
       "names": {"kind": "Berth", "plural": "berths"},
       "versions": [{"name": "v1", "served": true, "storage": true,
                     "schema": {"openAPIV3Schema": %s}}]}}
    """
        .formatted(Schemas.BERTH);
  }
}
