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

  private static void apply(String manifests, ApiClient client) throws IOException {
    client
        .create(
            "/api/v1/namespaces",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"team\"}}")
        .orThrow();
    try (var documents = new YAMLMapper().readerFor(JsonNode.class).readValues(manifests)) {
      while (documents.hasNext()) {
        create((ObjectNode) documents.next(), client);
      }
    }
  }

  private static void create(ObjectNode object, ApiClient client) {
    JsonNode status = object.remove("status");
    String plural = object.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
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
