package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.Manifests;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.random.SchemaObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the API server takes at one version can be read and written at all others. {@code
 * -Dsluice.random.objects=2000} draws more for each kind and version.
 */
@FullTier
@NeedsDevCluster
class RandomObjectsE2E {
  private static final int DRAWN = Tier.number("sluice.random.objects", 20, 60);
  private static final int LEAST_TAKEN = Tier.number(1, 2); // rules between fields refuse many
  private static final int AT_ONE_TIME = 8;
  private static final long SEED = 20260101;

  static Stream<Arguments> kindsAndVersions() {
    return Stream.of(ApiKind.values())
        .flatMap(kind -> kind.versions().stream().map(version -> Arguments.of(kind, version)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndVersions")
  void isReadableAtAllVersionsAndUnchangedByWritesThroughThem(
      ApiKind kind, ApiVersion version, DevCluster cluster) throws Exception {
    JsonNode schema = new Manifests().schema(kind, version);
    var tour = new Tour(cluster.controlPlane().client(), kind, version);
    List<Future<Boolean>> tours = new ArrayList<>();

    try (var threads = Executors.newFixedThreadPool(AT_ONE_TIME)) {
      for (int i = 0; i < DRAWN; i++) {
        long seed = SEED + i;
        tours.add(threads.submit(() -> tour.of(schema, seed)));
      }
    }

    int taken = 0;
    for (Future<Boolean> one : tours) {
      taken += one.get() ? 1 : 0;
    }
    assertThat(taken).as("objects that the API server took").isGreaterThan(LEAST_TAKEN);
  }

  /** The way of one object through all versions. */
  private record Tour(ApiClient api, ApiKind kind, ApiVersion version) {
    /** Whether the API server took the object at all. */
    boolean of(JsonNode schema, long seed) {
      String name = "drawn-" + version + "-" + seed;
      JsonObject drawn =
          SchemaObjects.draw(new Random(seed), schema, version.groupVersion(), kind.kind(), name);
      var created = api.create(Kueue.collection(kind, version), drawn.write());
      if (!created.isSuccess()) {
        assertThat(created.body()).doesNotContain("conversion webhook", "failed calling webhook");
        assertThat(created.status()).isIn(400, 403, 422);
        return false;
      }
      if (kind == COHORT || kind == WORKLOAD || kind == CLUSTER_QUEUE || kind == LOCAL_QUEUE) {
        // refused or not, like the object itself
        api.put(Kueue.path(kind, version, name) + "/status", withVersionOf(created, drawn));
      }
      for (ApiVersion other : kind.versions()) {
        if (other != version) {
          through(other, name);
        }
      }
      return true;
    }

    private static String withVersionOf(ApiClient.Response created, JsonObject drawn) {
      ObjectNode object = (ObjectNode) new ApiClient.Response(200, drawn.write()).json();
      object.set("metadata", created.json().get("metadata"));
      return object.toString();
    }

    private void through(ApiVersion other, String name) {
      JsonNode before = get(version, name);
      ObjectNode there = (ObjectNode) get(other, name);

      there.withObject("/metadata/labels").put("through", other.text());
      api.put(Kueue.path(kind, other, name), there.toString()).orThrow();

      ObjectNode expected = (ObjectNode) Kueue.settled(before);
      expected.withObject("/metadata/labels").put("through", other.text());
      if (kind == ADMISSION_CHECK && other == V1BETA1 && before.path("spec").isObject()) {
        // the API server's default at that version, which this one cannot say
        expected
            .withObject("/metadata/annotations")
            .put(
                "conversion.kueue.x-k8s.io/from-v1beta1",
                "{\"retryDelayMinutes\":{\"retryDelayMinutes\":15}}");
      }
      assertThat(Kueue.settled(get(version, name))).isEqualTo(expected);
    }

    private JsonNode get(ApiVersion at, String name) {
      JsonNode read = api.get(Kueue.path(kind, at, name)).orThrow().json();
      assertThat(read.path("apiVersion").asText()).isEqualTo(at.groupVersion());
      return read;
    }
  }
}
