package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cli.Commands;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@FullTier
@NeedsControlPlane
class ExplainE2E {
  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  @Test
  void readsOfAClusterWhatItReadsOfFiles() throws IOException {
    String manifests =
        LabQueues.QUEUES + LabQueues.HOLDERS + "---\n" + LabQueues.workload("big", 4, 0) + "\n";
    String fromFiles = Commands.runWith(manifests, "explain", "team/big", "-f", "-").out();
    apply(manifests, CLUSTER.api());
    String kubeconfig = CLUSTER.controlPlane().kubeconfig().toString();

    Commands.Ran ran = Commands.run("explain", "team/big", "--kubeconfig", kubeconfig);

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).isEqualTo(fromFiles).contains("Workload team/first ends");
  }

  @Test
  void podsOfOthersTakeRoomOnTheNodes() throws IOException {
    String queues =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Topology
        metadata: {name: hosts}
        spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: placed}
        spec: {topologyName: hosts, nodeLabels: {pool: placed}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: placed}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: placed, resources: [{name: cpu, nominalQuota: 8}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: placed, namespace: placing}
        spec: {clusterQueue: placed}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: whole, namespace: placing}
        spec:
          queueName: placed
          podSets:
          - name: main
            count: 1
            topologyRequest: {required: kubernetes.io/hostname}
            template:
              spec:
                restartPolicy: Never
                containers: [{name: c, image: i, resources: {requests: {cpu: 8}}}]
        """;
    ApiClient client = CLUSTER.api();
    client
        .create(
            "/api/v1/nodes",
            """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"host","labels":{"pool":"placed",
            "kubernetes.io/hostname":"host"}},"status":{"allocatable":{"cpu":"8","pods":"10"},
            "conditions":[{"type":"Ready","status":"True","reason":"r","message":"",
            "lastHeartbeatTime":null,"lastTransitionTime":null}]}}\
            """)
        .orThrow();
    client // of its own accord the API server holds every new node for not ready
        .mergePatch("/api/v1/nodes/host", "{\"spec\":{\"taints\":null}}")
        .orThrow();
    apply("placing", queues, client);
    String[] explain = {
      "explain",
      "placing/whole",
      "--local",
      "--kubeconfig",
      CLUSTER.controlPlane().kubeconfig().toString()
    };
    assertThat(Commands.run(explain).out()).doesNotContain("hold none");

    client
        .create(
            "/api/v1/namespaces/placing/pods",
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"agent"},"spec":{"nodeName":"host",
            "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"2"}}}]}}\
            """)
        .orThrow();

    Commands.Ran ran = Commands.run(explain);
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("of which hold none: 1 for resource cpu");
  }

  private static void apply(String manifests, ApiClient client) throws IOException {
    apply("team", manifests, client);
  }

  private static void apply(String namespace, String manifests, ApiClient client)
      throws IOException {
    client
        .create(
            "/api/v1/namespaces",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
                .formatted(namespace))
        .orThrow();
    try (var documents = new YAMLMapper().readerFor(JsonNode.class).readValues(manifests)) {
      while (documents.hasNext()) {
        create((ObjectNode) documents.next(), client);
      }
    }
  }

  private static void create(ObjectNode object, ApiClient client) {
    JsonNode status = object.remove("status");
    String kind = object.path("kind").asText().toLowerCase(Locale.ROOT);
    String plural = kind.equals("topology") ? "topologies" : kind + "s";
    String namespace = object.at("/metadata/namespace").asText();
    String collection =
        "/apis/kueue.x-k8s.io/v1beta2/"
            + (namespace.isEmpty() ? "" : "namespaces/" + namespace + "/")
            + plural;
    client.create(collection, object.toString()).orThrow();
    if (status != null) {
      for (JsonNode condition : status.path("conditions")) {
        ((ObjectNode) condition).put("reason", "QuotaReserved").put("message", "");
        ((ObjectNode) condition).put("lastTransitionTime", "2026-01-01T00:00:00Z");
      }
      ObjectNode patch = new YAMLMapper().createObjectNode();
      patch.set("status", status);
      String path = collection + "/" + object.at("/metadata/name").asText() + "/status";
      client.mergePatch(path, patch.toString()).orThrow();
    }
  }
}
