package dev.sluice.manifests;

import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.api.ApiKind.TOPOLOGY;
import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CrdsTest {

  /** Client-side apply keeps the whole object in an annotation; all annotations may have 262144. */
  private static final int ROOM_FOR_CLIENT_SIDE_APPLY = 200 * 1024;

  private final Manifests manifests = new Manifests();

  @ParameterizedTest
  @EnumSource
  void aDefinitionHasTheNamesOfItsKind(ApiKind kind) {
    ObjectNode crd = manifests.crd(kind);

    assertThat(crd.at("/metadata/name").asText()).isEqualTo(kind.crdName());
    assertThat(crd.at("/spec/group").asText()).isEqualTo(ApiVersion.GROUP);
    assertThat(crd.at("/spec/names/kind").asText()).isEqualTo(kind.kind());
    assertThat(crd.at("/spec/names/plural").asText()).isEqualTo(kind.plural());
    assertThat(crd.at("/spec/names/listKind").asText()).isEqualTo(kind.kind() + "List");
    assertThat(crd.at("/spec/names/singular").asText())
        .isEqualTo(kind.kind().toLowerCase(Locale.ROOT));
  }

  @ParameterizedTest
  @EnumSource
  void aDefinitionServesTheVersionsOfItsKindAndStoresTheHub(ApiKind kind) {
    List<JsonNode> versions = versions(manifests.crd(kind));

    assertThat(versions)
        .extracting(version -> version.path("name").asText())
        .isEqualTo(kind.versions().stream().map(ApiVersion::text).toList());
    assertThat(versions).allMatch(version -> version.path("served").asBoolean());
    assertThat(versions)
        .filteredOn(version -> version.path("storage").asBoolean())
        .extracting(version -> version.path("name").asText())
        .containsExactly(ApiVersion.HUB.text());
  }

  @Test
  void onlyKindsThatAreServedAreInstalled() {
    assertThat(manifests.crds())
        .extracting(crd -> crd.at("/spec/names/kind").asText())
        .isEqualTo(Stream.of(ApiKind.values()).map(ApiKind::kind).toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"PROVISIONING_REQUEST_CONFIG", "RESOURCE_FLAVOR", "WORKLOAD_PRIORITY_CLASS"})
  void aKindWhoseVersionsAreAlikeNeedsNoWebhook(ApiKind kind) {
    assertThat(manifests.crd(kind).at("/spec/conversion").isMissingNode()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"PROVISIONING_REQUEST_CONFIG", "RESOURCE_FLAVOR", "WORKLOAD_PRIORITY_CLASS"})
  void aKindWhoseVersionsDifferIsConvertedByTheWebhook(ApiKind kind) {
    JsonNode conversion = manifests.crd(kind).at("/spec/conversion");

    assertThat(conversion)
        .isEqualTo(
            new YamlReader()
                .read(
                    "expected",
                    """
                    strategy: Webhook
                    webhook:
                      conversionReviewVersions: [v1]
                      clientConfig:
                        service:
                          namespace: sluice-system
                          name: sluice-webhook
                          path: /convert
                          port: 443
                    """));
  }

  @ParameterizedTest
  @MethodSource("generated")
  void olderVersionsWarnAndTheHubDoesNot(ObjectNode crd) {
    assertThat(versions(crd))
        .allSatisfy(
            version -> {
              String warning = version.path("deprecationWarning").asText();
              assertThat(version.has("deprecationWarning"))
                  .isEqualTo(version.path("deprecated").asBoolean());
              assertThat(warning.length()).isLessThanOrEqualTo(256);
              if (version.path("storage").asBoolean()) {
                assertThat(warning).isEmpty();
              }
            });
  }

  @ParameterizedTest
  @MethodSource("generated")
  void everySchemaIsStructural(ObjectNode crd) {
    assertThat(versions(crd))
        .allSatisfy(version -> assertThat(StructuralSchema.faults(schema(version))).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("generated")
  void everyFieldIsDescribed(ObjectNode crd) {
    for (JsonNode version : versions(crd)) {
      List<String> bare = new ArrayList<>();
      collectUndescribed("", schema(version), bare);

      assertThat(bare).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("generated")
  void everyRuleExplainsItself(ObjectNode crd) {
    assertThat(crd.findValues("x-kubernetes-validations"))
        .allSatisfy(
            rules ->
                assertThat(rules)
                    .allSatisfy(rule -> assertThat(rule.path("message").asText()).isNotBlank()));
  }

  @ParameterizedTest
  @MethodSource("generated")
  void aDefinitionIsSmallEnoughForClientSideApply(ObjectNode crd) {
    assertThat(crd.toString().getBytes(UTF_8).length).isLessThan(ROOM_FOR_CLIENT_SIDE_APPLY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TOPOLOGY | V1ALPHA1 | /required/0                                  | spec
          TOPOLOGY | V1ALPHA1 | /properties/spec/properties/levels/maxItems  | 16
          TOPOLOGY | V1ALPHA1 | /properties/spec/properties/levels/x-kubernetes-validations/0/rule | self == oldSelf
          TOPOLOGY | V1BETA1  | /properties/spec/properties/levels/x-kubernetes-validations/0/rule | self == oldSelf
          COHORT   | V1ALPHA1 | /properties/spec/properties/parent/maxLength | 253
          COHORT   | V1ALPHA1 | /properties/spec/properties/resourceGroups/items/properties/flavors/maxItems | 64
          COHORT   | V1ALPHA1 | /properties/spec/properties/fairSharing/properties/weight/default | 1
          COHORT   | V1BETA1  | /properties/spec/properties/parentName/maxLength | 253
          """)
  void theOlderVersionsHaveTheShapeTheyAlwaysHad(
      ApiKind kind, ApiVersion version, String pointer, String value) {
    assertThat(manifests.schema(kind, version).at(pointer).asText()).isEqualTo(value);
  }

  @Test
  void specOfATopologyIsRequiredInTheOldestVersionOnly() {
    assertThat(manifests.schema(TOPOLOGY, V1ALPHA1).path("required")).hasSize(1);
    assertThat(manifests.schema(TOPOLOGY, V1BETA1).path("required")).isEmpty();
    assertThat(manifests.schema(TOPOLOGY, V1BETA2).path("required")).isEmpty();
  }

  @Test
  void aCohortCallsItsParentByOneNamePerVersion() {
    assertThat(specFields(V1ALPHA1)).contains("parent").doesNotContain("parentName");
    assertThat(specFields(V1BETA1)).contains("parentName").doesNotContain("parent");
    assertThat(specFields(V1BETA2)).contains("parentName").doesNotContain("parent");
  }

  @Test
  void admissionFairSharingOfACohortEndsBeforeTheHub() {
    String status = "/properties/status/properties/fairSharing/properties";

    assertThat(manifests.schema(COHORT, V1ALPHA1).at(status)).hasSize(2);
    assertThat(manifests.schema(COHORT, V1BETA1).at(status)).hasSize(2);
    assertThat(manifests.schema(COHORT, V1BETA2).at(status)).hasSize(1);
  }

  @Test
  void everyVersionOfACohortHasAStatusOfItsOwnAndNoTopologyHas() {
    assertThat(versions(manifests.crd(COHORT))).allMatch(v -> v.at("/subresources").has("status"));
    assertThat(versions(manifests.crd(TOPOLOGY))).noneMatch(v -> v.has("subresources"));
  }

  /** All definitions in the folder, those of kinds which are not served yet as well. */
  private static Stream<ObjectNode> generated() throws IOException {
    List<ObjectNode> crds = new ArrayList<>();
    try (var files = Files.newDirectoryStream(Path.of("crds"), "*.yaml")) {
      for (Path file : files) {
        crds.add(new YamlReader().read(file.toString(), Files.readString(file)));
      }
    }
    return crds.stream();
  }

  private List<String> specFields(ApiVersion version) {
    return manifests
        .schema(COHORT, version)
        .at("/properties/spec/properties")
        .propertyStream()
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Fields without a description; metadata may not have one, and pods are Kubernetes' own. */
  private static void collectUndescribed(String path, JsonNode node, List<String> bare) {
    if (!node.has("description") && !path.equals(".metadata")) {
      bare.add(path);
    }
    if (path.endsWith(".podSets[].template")) {
      return;
    }
    for (Map.Entry<String, JsonNode> child : node.path("properties").properties()) {
      collectUndescribed(path + "." + child.getKey(), child.getValue(), bare);
    }
    if (node.has("items")) {
      collectUndescribed(path + "[]", node.get("items"), bare);
    }
    if (node.path("additionalProperties").isObject()) {
      collectUndescribed(path + "{}", node.get("additionalProperties"), bare);
    }
  }

  private static JsonNode schema(JsonNode version) {
    return version.at("/schema/openAPIV3Schema");
  }

  private static List<JsonNode> versions(ObjectNode crd) {
    return StreamSupport.stream(crd.at("/spec/versions").spliterator(), false).toList();
  }
}
