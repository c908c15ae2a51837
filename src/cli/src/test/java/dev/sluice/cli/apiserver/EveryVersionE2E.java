package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.api.ApiKind.TOPOLOGY;
import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of different versions work on the same objects, and none loses what another wrote. */
@NeedsDevCluster
class EveryVersionE2E {
  private static final int MANY = 1000;
  private static final int PATCHES = 40;
  private static final int AT_ONE_TIME = 16;

  private ApiClient api;

  @BeforeEach
  void connect(DevCluster cluster) {
    api = cluster.controlPlane().client();
  }

  static Stream<Arguments> pairs() {
    return Stream.of(ApiVersion.values())
        .flatMap(from -> Stream.of(ApiVersion.values()).map(to -> Arguments.of(from, to)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aTopologyKeepsItsLevelsInOrderFromAnyVersionToAnyOther(ApiVersion from, ApiVersion to) {
    String name = "ordered-" + from + "-" + to;
    String[] levels = {"z.example.com/block", "a.example.com/rack", "kubernetes.io/hostname"};

    api.create(Kueue.collection(TOPOLOGY, from), Kueue.topology(from, name, levels)).orThrow();
    JsonNode read = get(Kueue.path(TOPOLOGY, to, name));
    api.put(Kueue.path(TOPOLOGY, to, name), labelled(read, "seen-at", to.text())).orThrow();
    JsonNode back = get(Kueue.path(TOPOLOGY, from, name));

    assertThat(read.path("apiVersion").asText()).isEqualTo(to.groupVersion());
    assertThat(Kueue.levels(read)).containsExactly(levels);
    assertThat(back.path("apiVersion").asText()).isEqualTo(from.groupVersion());
    assertThat(Kueue.levels(back)).containsExactly(levels);
    assertThat(back.at("/metadata/labels/seen-at").asText()).isEqualTo(to.text());
    assertThat(back.at("/metadata/annotations").isMissingNode()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aCohortKeepsItsParentUnderTheNameOfEachVersion(ApiVersion from, ApiVersion to) {
    String name = "child-" + from + "-" + to;

    api.create(Kueue.collection(COHORT, from), Kueue.cohort(from, name, "parent.of-all")).orThrow();
    JsonNode read = get(Kueue.path(COHORT, to, name));
    api.put(Kueue.path(COHORT, to, name), labelled(read, "seen-at", to.text())).orThrow();
    JsonNode back = get(Kueue.path(COHORT, from, name));

    assertThat(read.get("spec").toString())
        .isEqualTo("{\"%s\":\"parent.of-all\"}".formatted(Kueue.parentField(to)));
    assertThat(back.get("spec").toString())
        .isEqualTo("{\"%s\":\"parent.of-all\"}".formatted(Kueue.parentField(from)));
    assertThat(back.at("/metadata/labels/seen-at").asText()).isEqualTo(to.text());
  }

  @Test
  void patchesAtTwoVersionsAddUp() {
    api.create(Kueue.collection(COHORT, V1ALPHA1), Kueue.cohort(V1ALPHA1, "patched", "first"))
        .orThrow();

    api.mergePatch(
            Kueue.path(COHORT, V1BETA2, "patched"),
            "{\"spec\":{\"fairSharing\":{\"weight\":\"2\"}}}")
        .orThrow();
    api.mergePatch(Kueue.path(COHORT, V1ALPHA1, "patched"), "{\"spec\":{\"parent\":\"second\"}}")
        .orThrow();
    api.jsonPatch(
            Kueue.path(COHORT, V1BETA1, "patched"),
            "[{\"op\":\"test\",\"path\":\"/spec/parentName\",\"value\":\"second\"},"
                + "{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{\"team\":\"a\"}}]")
        .orThrow();

    assertThat(get(Kueue.path(COHORT, V1ALPHA1, "patched")).get("spec").toString())
        .isEqualTo("{\"fairSharing\":{\"weight\":\"2\"},\"parent\":\"second\"}");
    assertThat(get(Kueue.path(COHORT, V1BETA2, "patched")).get("spec").toString())
        .isEqualTo("{\"fairSharing\":{\"weight\":\"2\"},\"parentName\":\"second\"}");
    assertThat(get(Kueue.path(COHORT, V1BETA2, "patched")).at("/metadata/annotations").toString())
        .isEqualTo("{\"team\":\"a\"}");
  }

  @Test
  void aReaderAtOneVersionSeesEveryPatchAtAnotherWhole() throws Exception {
    api.create(Kueue.collection(COHORT, V1ALPHA1), Kueue.cohort(V1ALPHA1, "busy", "first"))
        .orThrow();
    String patched = Kueue.path(COHORT, V1BETA2, "busy");
    var writer =
        CompletableFuture.runAsync(
            () -> {
              for (int weight = 1; weight <= PATCHES; weight++) {
                api.mergePatch(patched, "{\"spec\":{\"fairSharing\":{\"weight\":" + weight + "}}}")
                    .orThrow();
              }
            });

    int seen = 0;
    while (seen < PATCHES) {
      writer.getNow(null); // says so if it failed
      JsonNode spec = get(Kueue.path(COHORT, V1ALPHA1, "busy")).get("spec");
      int weight = spec.at("/fairSharing/weight").asInt();
      assertThat(spec.path("parent").asText()).isEqualTo("first");
      assertThat(spec.size()).isEqualTo(weight == 0 ? 1 : 2);
      assertThat(weight).isGreaterThanOrEqualTo(seen);
      seen = weight;
    }
    writer.get();
  }

  @Test
  void aParentThatIsRemovedAtOneVersionIsGoneAtAll() {
    api.create(Kueue.collection(COHORT, V1BETA2), Kueue.cohort(V1BETA2, "orphaned", "parent"))
        .orThrow();
    api.mergePatch(
            Kueue.path(COHORT, V1BETA1, "orphaned"), "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
        .orThrow();

    api.mergePatch(Kueue.path(COHORT, V1ALPHA1, "orphaned"), "{\"spec\":{\"parent\":null}}")
        .orThrow();

    for (ApiVersion version : ApiVersion.values()) {
      assertThat(get(Kueue.path(COHORT, version, "orphaned")).path("spec").isEmpty()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"V1ALPHA1", "V1BETA1"})
  void aStatusThatTheStorageVersionCannotSayComesBackAfterWritesAtAnother(ApiVersion older) {
    String name = "shares-" + older;
    String status =
        """
        {"fairSharing":{"admissionFairSharingStatus":{"consumedResources":{"cpu":"1500m"},\
        "lastUpdate":"2026-01-02T03:04:05Z"},"weightedShare":9223372036854775807}}\
        """;
    api.create(Kueue.collection(COHORT, older), Kueue.cohort(older, name, "p")).orThrow();

    api.mergePatch(Kueue.path(COHORT, older, name) + "/status", "{\"status\":" + status + "}")
        .orThrow();
    JsonNode atHub = get(Kueue.path(COHORT, V1BETA2, name));
    api.put(Kueue.path(COHORT, V1BETA2, name), labelled(atHub, "touched", "yes")).orThrow();

    assertThat(atHub.get("status").toString())
        .isEqualTo("{\"fairSharing\":{\"weightedShare\":9223372036854775807}}");
    assertThat(atHub.at("/metadata/annotations").properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("conversion.kueue.x-k8s.io/from-v1beta1");
    JsonNode back = get(Kueue.path(COHORT, older, name));
    assertThat(back.get("status").toString()).isEqualTo(status);
    assertThat(back.at("/metadata/annotations").isMissingNode()).isTrue();
    assertThat(back.at("/metadata/labels/touched").asText()).isEqualTo("yes");
  }

  @Test
  void aNewStatusAtTheStorageVersionEndsWhatWasKeptOfTheOldOne() {
    api.create(Kueue.collection(COHORT, V1BETA1), Kueue.cohort(V1BETA1, "outdated", "p")).orThrow();
    api.mergePatch(
            Kueue.path(COHORT, V1BETA1, "outdated") + "/status",
            """
            {"status":{"fairSharing":{"weightedShare":1,"admissionFairSharingStatus":{\
            "consumedResources":{"cpu":"1"},"lastUpdate":"2026-01-02T03:04:05Z"}}}}\
            """)
        .orThrow();

    api.mergePatch(
            Kueue.path(COHORT, V1BETA2, "outdated") + "/status",
            "{\"status\":{\"fairSharing\":{\"weightedShare\":2}}}")
        .orThrow();

    assertThat(get(Kueue.path(COHORT, V1BETA1, "outdated")).get("status").toString())
        .isEqualTo("{\"fairSharing\":{\"weightedShare\":2}}");
  }

  @FullTier
  @Test
  void aThousandObjectsAreListedAtEveryVersion() throws Exception {
    createMany();

    for (ApiVersion version : ApiVersion.values()) {
      JsonNode list = api.list(Kueue.collection(TOPOLOGY, version), "of=thousand").orThrow().json();
      assertThat(list.get("items")).hasSize(MANY);
      for (JsonNode item : list.get("items")) {
        assertThat(item.path("apiVersion").asText()).isEqualTo(version.groupVersion());
        assertThat(Kueue.levels(item))
            .containsExactly(item.at("/metadata/name").asText() + "/block", "rack");
      }
    }
    JsonNode page =
        api.get(Kueue.collection(TOPOLOGY, V1BETA1) + "?limit=100&labelSelector=of%3Dthousand")
            .orThrow()
            .json();
    assertThat(page.get("items")).hasSize(100);
  }

  private void createMany() throws Exception {
    try (var threads = Executors.newFixedThreadPool(AT_ONE_TIME)) {
      List<Future<ApiClient.Response>> created =
          IntStream.range(0, MANY)
              .mapToObj(
                  i ->
                      threads.submit(
                          () ->
                              api.create(
                                  Kueue.collection(TOPOLOGY, V1ALPHA1), oneOfMany("many-" + i))))
              .toList();
      for (Future<ApiClient.Response> one : created) {
        one.get().orThrow();
      }
    }
  }

  private static String oneOfMany(String name) {
    return Kueue.topology(V1ALPHA1, name, name + "/block", "rack")
        .replace("\"metadata\":{", "\"metadata\":{\"labels\":{\"of\":\"thousand\"},");
  }

  @ParameterizedTest
  @EnumSource(ApiVersion.class)
  void aWatchSeesTheChangesOfClientsOfOtherVersions(ApiVersion watched) throws Exception {
    String name = "watched-" + watched;
    for (ApiVersion version : ApiVersion.values()) {
      whenServed(Kueue.collection(COHORT, version)); // the first of a kind takes seconds
    }
    String since =
        whenServed(Kueue.collection(COHORT, watched)).at("/metadata/resourceVersion").asText();
    String watch = "?watch=true&timeoutSeconds=60&resourceVersion=" + since;
    try (var stream = api.open(Kueue.collection(COHORT, watched) + watch)) {
      api.create(Kueue.collection(COHORT, V1ALPHA1), Kueue.cohort(V1ALPHA1, name, "one")).orThrow();
      api.mergePatch(Kueue.path(COHORT, V1BETA2, name), "{\"spec\":{\"parentName\":\"two\"}}")
          .orThrow();
      api.delete(Kueue.path(COHORT, V1BETA1, name)).orThrow();

      assertThat(events(stream, name, watched))
          .containsExactly("ADDED one", "MODIFIED two", "DELETED two");
    }
  }

  /** What comes of that object until it is deleted, or until the API server ends the watch. */
  private static List<String> events(InputStream stream, String name, ApiVersion version)
      throws IOException {
    List<String> events = new ArrayList<>();
    try (MappingIterator<JsonNode> all =
        new JsonMapper().readerFor(JsonNode.class).readValues(stream)) {
      boolean goesOn = true;
      while (goesOn && all.hasNextValue()) {
        JsonNode event = all.nextValue();
        JsonNode object = event.path("object");
        if (object.at("/metadata/name").asText().equals(name)) {
          assertThat(object.path("apiVersion").asText()).isEqualTo(version.groupVersion());
          String type = event.path("type").asText();
          events.add(type + " " + object.path("spec").path(Kueue.parentField(version)).asText());
          goesOn = !type.equals("DELETED");
        }
      }
    }
    return events;
  }

  @Test
  void everythingStaysReadableWhenTheApiServerStartsAnew(DevCluster cluster) {
    api.create(Kueue.collection(TOPOLOGY, V1ALPHA1), Kueue.topology(V1ALPHA1, "survivor", "rack"))
        .orThrow();
    api.create(Kueue.collection(COHORT, V1BETA1), Kueue.cohort(V1BETA1, "survivor", "p")).orThrow();

    cluster.controlPlane().restartApiServer();

    for (ApiVersion version : ApiVersion.values()) {
      assertThat(Kueue.levels(whenServed(Kueue.path(TOPOLOGY, version, "survivor"))))
          .containsExactly("rack");
      assertThat(whenServed(Kueue.path(COHORT, version, "survivor")).get("spec").properties())
          .hasSize(1)
          .first()
          .hasToString(Kueue.parentField(version) + "=\"p\"");
      whenServed(Kueue.collection(TOPOLOGY, version));
    }
  }

  /** An API server may still be filling the cache of a kind, and asks for patience meanwhile. */
  private JsonNode whenServed(String path) {
    return api.await(path, Duration.ofSeconds(90), _ -> true).json();
  }

  private JsonNode get(String path) {
    return api.get(path).orThrow().json();
  }

  private static String labelled(JsonNode object, String key, String value) {
    ObjectNode copy = object.deepCopy();
    copy.withObject("/metadata/labels").put(key, value);
    return copy.toString();
  }
}
