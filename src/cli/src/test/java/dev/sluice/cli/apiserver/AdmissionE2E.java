package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is set in objects of our kinds and asked of them, as clients of an API server see it. */
@NeedsDevCluster
class AdmissionE2E {
  private static final String IN_USE = "kueue.x-k8s.io/resource-in-use";
  private ApiClient api;

  @BeforeEach
  void connect(DevCluster cluster) {
    api = cluster.controlPlane().client();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "CLUSTER_QUEUE, V1BETA1",
    "CLUSTER_QUEUE, V1BETA2",
    "RESOURCE_FLAVOR, V1BETA1",
    "RESOURCE_FLAVOR, V1BETA2"
  })
  void setsTheFinalizerOnceAndKeepsWhatIsNotKnown(ApiKind kind, ApiVersion version) {
    String name = "defaulted-" + version;
    String object =
        Kueue.object(kind, version, name, "")
            .replace("\"metadata\":{", "\"metadata\":{\"finalizers\":[\"example.com/own\"],");

    JsonNode created = api.create(Kueue.collection(kind, version), object).orThrow().json();

    assertThat(finalizers(created)).containsExactly("example.com/own", IN_USE);
    assertThat(created.has("spec")).isTrue();
    JsonNode again =
        api.mergePatch(Kueue.path(kind, version, name), "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
            .orThrow()
            .json();
    assertThat(finalizers(again)).containsExactly("example.com/own", IN_USE);
  }

  private static List<String> finalizers(JsonNode object) {
    return StreamSupport.stream(object.at("/metadata/finalizers").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  @ParameterizedTest(name = "{0} {1} {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          CLUSTER_QUEUE   | V1BETA2 | 403 | spec.resourceGroups[0].flavors[0].resources[0].name         | "resourceGroups":[%"name":"gpu","nominalQuota":1%]
          CLUSTER_QUEUE   | V1BETA1 | 403 | spec.resourceGroups[0].flavors[0].resources[0].name         | "resourceGroups":[%"name":"gpu","nominalQuota":1%]
          CLUSTER_QUEUE   | V1BETA2 | 422 | spec.resourceGroups[0].flavors[0].resources[0].nominalQuota | "resourceGroups":[%"name":"cpu"%]
          CLUSTER_QUEUE   | V1BETA2 | 422 | spec.resourceGroups[0].flavors[0].resources[0].nominalQuota | "resourceGroups":[%"name":"cpu","nominalQuota":"many"%]
          CLUSTER_QUEUE   | V1BETA1 | 422 | spec.resourceGroups[0].flavors[0].resources[0].nominalQuota | "resourceGroups":[%"name":"cpu","nominalQuota":"many"%]
          CLUSTER_QUEUE   | V1BETA1 | 422 | spec.resourceGroups                                         | "resourceGroups":{}
          RESOURCE_FLAVOR | V1BETA2 | 422 | spec.nodeTaints[0].key                                      | "nodeTaints":[{"effect":"NoSchedule"}]
          RESOURCE_FLAVOR | V1BETA1 | 403 | spec.tolerations[0].value                                   | "tolerations":[{"key":"a","operator":"Equal","value":"@"}]
          LOCAL_QUEUE     | V1BETA1 | 403 | spec.fairSharing                                            | "clusterQueue":"q","fairSharing":{"weight":"-1"}
          WORKLOAD        | V1BETA1 | 422 | spec.podSets                                                | "podSets":{}
          WORKLOAD        | V1BETA2 | 403 | spec.podSets[0].template.metadata.labels                    | "podSets":[{"template":{"metadata":{"labels":{"@":"x"}},"spec":{"containers":[]}}}]
          """)
  void refusesWithTheFieldAndNeverFails(
      ApiKind kind, ApiVersion version, int code, String field, String spec) {
    String[] parts = spec.split("%", -1);
    String text = parts.length == 3 ? parts[0] + group(parts[1]) + parts[2] : spec;

    var answer =
        api.create(
            Kueue.collection(kind, version),
            Kueue.object(kind, version, "refused", "\"spec\":{" + text + "}"));

    assertThat(answer.status()).as(answer.body()).isEqualTo(code);
    assertThat(answer.json().path("message").asText())
        .contains(field + ": ")
        .doesNotContain("Exception", "dev.sluice", "failed calling webhook", "conversion webhook");
  }

  @Test
  void refusesToLeadALocalQueueElsewhereInTwoSteps() {
    String path = Kueue.path(LOCAL_QUEUE, V1BETA2, "stays");
    String queue =
        Kueue.object(LOCAL_QUEUE, V1BETA2, "stays", "\"spec\":{\"clusterQueue\":\"one\"}");
    api.create(Kueue.collection(LOCAL_QUEUE, V1BETA2), queue).orThrow();

    var removed = api.mergePatch(path, "{\"spec\":{\"clusterQueue\":null}}");

    assertThat(removed.status()).isEqualTo(403);
    assertThat(removed.json().path("message").asText()).contains("spec.clusterQueue: Forbidden");
  }

  @Test
  void refusesToTakeTheControllerFromACheck() {
    String path = Kueue.path(ADMISSION_CHECK, V1BETA2, "controlled");
    String check =
        Kueue.object(ADMISSION_CHECK, V1BETA2, "controlled", "\"spec\":{\"controllerName\":\"c\"}");
    api.create(Kueue.collection(ADMISSION_CHECK, V1BETA2), check).orThrow();

    assertThat(api.mergePatch(path, "{\"spec\":null}").status()).isEqualTo(403);
    api.mergePatch(path, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}").orThrow();
  }

  /** From waiting over reserved to ended, each step written as a controller writes it. */
  @Test
  void guardsTheStatusOfAWorkload() {
    String template = "\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\"}]}}";
    String spec = "\"spec\":{\"podSets\":[{\"name\":\"main\",\"count\":2,%s}]}".formatted(template);
    api.create(
            Kueue.collection(WORKLOAD, V1BETA2), Kueue.object(WORKLOAD, V1BETA2, "guarded", spec))
        .orThrow();

    assertRefused(status(reserved("")), "status.admission: Required");
    assertRefused(
        status(reserved(admission("other", 2))),
        "status.admission.podSetAssignments[0].name: Not found");
    assertRefused(
        status(reserved(admission("main", 3))),
        "status.admission.podSetAssignments[0].resourceUsage");
    assertThat(status(reserved(admission("main", 2))).isSuccess()).isTrue();
    assertRefused(status(reserved(admission("main", 1))), "status.admission: Invalid");
    assertRefused(
        api.mergePatch(
            Kueue.path(WORKLOAD, V1BETA2, "guarded"),
            "{\"spec\":{\"podSets\":[{\"name\":\"main\",\"count\":3,%s}]}}".formatted(template)),
        "spec.podSets.0: Invalid");
    assertThat(status("\"conditions\":[],\"admission\":null").isSuccess()).isTrue();
  }

  private ApiClient.Response status(String members) {
    return api.mergePatch(
        Kueue.path(WORKLOAD, V1BETA2, "guarded") + "/status", "{\"status\":{" + members + "}}");
  }

  private static String reserved(String admission) {
    return ("\"conditions\":[{\"type\":\"QuotaReserved\",\"status\":\"True\",\"reason\":\"R\","
            + "\"message\":\"\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]%s")
        .formatted(admission);
  }

  private static String admission(String podSet, int count) {
    return (",\"admission\":{\"clusterQueue\":\"q\",\"podSetAssignments\":[{\"name\":\"%s\","
            + "\"count\":%d,\"resourceUsage\":{\"cpu\":\"2\"}}]}")
        .formatted(podSet, count);
  }

  private static void assertRefused(ApiClient.Response answer, String text) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(403);
    assertThat(answer.json().path("message").asText()).contains(text);
  }

  private static String group(String resource) {
    return "{\"coveredResources\":[\"cpu\"],\"flavors\":[{\"name\":\"f\",\"resources\":[{%s}]}]}"
        .formatted(resource);
  }
}
