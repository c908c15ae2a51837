package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.api.ApiKind.TOPOLOGY;
import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.Commands;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects that were stored before the rules were there stay readable, editable and deletable. */
@FullTier
@NeedsDevCluster
class FaultyObjectsE2E {
  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  private static final String READ = "without-spec";
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir Path folder;
  private ApiClient api;

  @BeforeEach
  void connect(DevCluster cluster) {
    api = cluster.controlPlane().client();
  }

  /** Stores objects that our rules refuse and the schemas allow, while the webhooks are off. */
  @BeforeAll
  static void storeWithTheWebhookOff(DevCluster cluster) {
    ApiClient api = cluster.controlPlane().client();
    JsonNode webhooks = api.get(WEBHOOKS + "/sluice-validating").orThrow().json();
    api.delete(WEBHOOKS + "/sluice-validating").orThrow();
    store(api, TOPOLOGY, Kueue.object(TOPOLOGY, V1BETA2, READ, ""));
    for (ApiVersion version : ApiVersion.values()) {
      String suffix = "-" + version;
      store(api, TOPOLOGY, Kueue.object(TOPOLOGY, V1BETA2, "no-spec" + suffix, ""));
      store(api, COHORT, Kueue.cohort(V1BETA2, "own-parent" + suffix, "own-parent" + suffix));
    }
    ((ObjectNode) webhooks.get("metadata")).remove(Set.of("resourceVersion", "uid"));
    api.create(WEBHOOKS, webhooks.toString()).orThrow();
    await("the rules are back")
        .atMost(SOON)
        .until(
            () ->
                !api.create(
                        Kueue.collection(TOPOLOGY, V1BETA2) + "?dryRun=All",
                        Kueue.object(TOPOLOGY, V1BETA2, "none", ""))
                    .isSuccess());
  }

  /** The API server takes a moment to see that a webhook is gone. */
  private static void store(ApiClient api, ApiKind kind, String object) {
    await("stored without a webhook")
        .atMost(SOON)
        .until(() -> api.create(Kueue.collection(kind, V1BETA2), object).isSuccess());
  }

  @ParameterizedTest
  @EnumSource(ApiVersion.class)
  void aTopologyWithoutSpecIsReadableAndListedAtEveryVersion(ApiVersion version) {
    JsonNode read = api.get(Kueue.path(TOPOLOGY, version, READ)).orThrow().json();
    JsonNode list = api.get(Kueue.collection(TOPOLOGY, version)).orThrow().json();

    assertThat(read.path("apiVersion").asText()).isEqualTo(version.groupVersion());
    assertThat(read.has("spec")).isFalse();
    assertThat(list.get("items"))
        .extracting(item -> item.at("/metadata/name").asText())
        .contains(READ);
  }

  @Test
  void whatIsStoredWithoutSpecIsRefusedOfflineAndConvertedWhenToldToCarry() throws Exception {
    Path stored = folder.resolve("stored.json");
    Files.writeString(stored, api.get(Kueue.path(TOPOLOGY, V1BETA2, READ)).orThrow().body());

    var refused = Commands.run("convert", "-f", stored.toString(), "--to", "v1beta1");
    var carried = Commands.run("convert", "-f", stored.toString(), "--to", "v1beta1", "--carry");

    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .contains("stored.json:1", "Topology \"" + READ + "\"", "spec.levels", "at least one");
    assertThat(carried.code()).isZero();
    assertThat(carried.out()).contains("\"kueue.x-k8s.io/v1beta1\"").doesNotContain("\"spec\"");
    assertThat(carried.err()).contains(READ);
  }

  @Test
  void aTopologyWithoutSpecKeepsOpenToMetadataAndCanBeMendedAndDeleted() {
    // at v1alpha1 the schema asks for spec, as Kueue's does: there the API server refuses first
    for (ApiVersion version : List.of(V1BETA1, V1BETA2)) {
      String path = Kueue.path(TOPOLOGY, version, "no-spec-" + version);
      api.mergePatch(path, finalizers("\"example.com/hold\"")).orThrow();
      assertThat(api.mergePatch(path, "{\"spec\":{\"levels\":[]}}").isSuccess()).isFalse();
      api.delete(path).orThrow();
      api.mergePatch(path, finalizers("")).orThrow();
      assertThat(api.get(path).status()).isEqualTo(404);
    }
    String path = Kueue.path(TOPOLOGY, V1ALPHA1, "no-spec-v1alpha1");
    api.mergePatch(path, "{\"spec\":{\"levels\":[{\"nodeLabel\":\"rack\"}]}}").orThrow();
    api.delete(path).orThrow();
  }

  @ParameterizedTest
  @EnumSource(ApiVersion.class)
  void aCohortThatIsItsOwnParentKeepsOpenToMetadataAndCanBeDeleted(ApiVersion version) {
    String path = Kueue.path(COHORT, version, "own-parent-" + version);

    api.mergePatch(path, finalizers("\"example.com/hold\"")).orThrow();
    api.mergePatch(path, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}").orThrow();
    api.delete(path).orThrow();
    assertThat(api.get(path).status()).isEqualTo(200);
    api.mergePatch(path, finalizers("")).orThrow();

    assertThat(api.get(path).status()).isEqualTo(404);
  }

  private static String finalizers(String items) {
    return "{\"metadata\":{\"finalizers\":[" + items + "]}}";
  }
}
