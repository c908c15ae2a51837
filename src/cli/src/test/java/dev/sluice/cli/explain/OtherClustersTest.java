package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.Commands;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A workload of a manager cluster, and the clusters that may run it. */
class OtherClustersTest {
  private static final String CLUSTERS =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: multikueue}
      spec:
        controllerName: kueue.x-k8s.io/multikueue
        parameters: {apiGroup: kueue.x-k8s.io, kind: MultiKueueConfig, name: workers}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: MultiKueueConfig
      metadata: {name: workers}
      spec: {clusters: [b, a, gone]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: MultiKueueCluster
      metadata: {name: a}
      status:
        conditions: [{type: Active, status: "True", reason: Active, message: Connected}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: MultiKueueCluster
      metadata: {name: b}
      status:
        conditions: [{type: Active, status: "False", reason: ClientConnectionFailed, message: refused}]
      ---
      """;

  private static String workload(String more, String message) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: w, namespace: team, uid: u}
    spec:
      queueName: default
      podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c}]}}}]
    status:
      %s
      admissionChecks:
      - {name: multikueue, state: Pending, lastTransitionTime: "2026-01-01T00:00:00Z",
         message: "%s"}
    """
        .formatted(more, message);
  }

  private static JsonNode explained(String manifests) throws IOException {
    Commands.Ran ran = Commands.runWith(manifests, "explain", "team/w", "-f", "-", "-o", "json");
    assertThat(ran.code()).as(ran.err()).isZero();
    return new JsonMapper().readTree(ran.out()).path("otherClusters");
  }

  @Test
  void eachClusterIsToldInTheOrderOfTheConfiguration() throws IOException {
    JsonNode clusters =
        explained(
            CLUSTERS
                + workload(
                    "nominatedClusterNames: [a]",
                    "2 clusters. b: not connected: refused; a: waits for quota: cpu; memory, too"));

    assertThat(clusters)
        .extracting(
            it -> it.path("cluster").asText(),
            it -> it.path("connection").asText(),
            it -> it.path("here").asText())
        .containsExactly(
            tuple("b", "not connected: refused", "not offered; not connected: refused"),
            tuple("a", "connected", "offered; waits for quota: cpu; memory, too"),
            tuple("gone", "there is no MultiKueueCluster of this name", "not offered"));
  }

  @Test
  void theChosenClusterIsNamed() throws IOException {
    JsonNode clusters = explained(CLUSTERS + workload("clusterName: a", ""));

    assertThat(clusters.findValuesAsText("here"))
        .isEqualTo(List.of("not offered", "chosen", "not offered"));
  }

  @Test
  void aWorkloadWithoutSuchACheckGoesNowhere() throws IOException {
    String other =
        CLUSTERS.replace("controllerName: kueue.x-k8s.io/multikueue", "controllerName: x/y");

    assertThat(explained(other + workload("clusterName: a", ""))).isEmpty();
  }

  @Test
  void theTextShowsThemToo() {
    Commands.Ran ran =
        Commands.runWith(CLUSTERS + workload("clusterName: a", ""), "explain", "team/w", "-f", "-");

    assertThat(ran.out()).contains("On other clusters", "  - a: connected", "    chosen");
  }
}
