package dev.sluice.cli.installed;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.Commands;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What {@code sluice install} prints, and how {@code kubectl apply} would bring it to a cluster.
 */
public final class Printed {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration ESTABLISHED = Duration.ofSeconds(60);
  private static final String CRD = "CustomResourceDefinition";
  private static final String FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1/";
  private static final Map<String, String> COLLECTIONS =
      Map.ofEntries(
          Map.entry("Namespace", "/api/v1/namespaces/"),
          Map.entry("ServiceAccount", "/api/v1/namespaces/%s/serviceaccounts/"),
          Map.entry("Secret", "/api/v1/namespaces/%s/secrets/"),
          Map.entry("ConfigMap", "/api/v1/namespaces/%s/configmaps/"),
          Map.entry("Service", "/api/v1/namespaces/%s/services/"),
          Map.entry("Deployment", "/apis/apps/v1/namespaces/%s/deployments/"),
          Map.entry("PodDisruptionBudget", "/apis/policy/v1/namespaces/%s/poddisruptionbudgets/"),
          Map.entry("NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/%s/networkpolicies/"),
          Map.entry("FlowSchema", FLOW + "flowschemas/"),
          Map.entry("PriorityLevelConfiguration", FLOW + "prioritylevelconfigurations/"),
          Map.entry("ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles/"),
          Map.entry(
              "ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/"),
          Map.entry("Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles/"),
          Map.entry(
              "RoleBinding", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings/"),
          Map.entry("APIService", "/apis/apiregistration.k8s.io/v1/apiservices/"),
          Map.entry(CRD, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"));

  private Printed() {}

  /** The documents for a server in the cluster. */
  static List<JsonNode> by(String... flags) throws IOException {
    List<String> args = new ArrayList<>(List.of("install", "-o", "json"));
    args.addAll(List.of(flags));
    Commands.Ran ran = Commands.run(args.toArray(new String[0]));
    assertThat(ran.code()).as(ran.err()).isZero();
    List<JsonNode> documents = new ArrayList<>();
    JSON.readTree(ran.out()).path("items").forEach(documents::add);
    return documents;
  }

  /**
   * The same, but conversions go to a URL: there is no network of a cluster for the Service. The
   * server registers itself in both cases.
   */
  static List<JsonNode> leadingTo(String url, String... flags) throws IOException {
    List<String> more = new ArrayList<>(List.of(flags));
    more.addAll(List.of("--url", url));
    List<JsonNode> documents = new ArrayList<>(by(flags));
    documents.removeIf(it -> it.path("kind").asText().equals(CRD));
    by(more.toArray(new String[0])).stream()
        .filter(it -> it.path("kind").asText().equals(CRD))
        .forEach(documents::add);
    return documents;
  }

  /** Applies all of it, and waits until the API server serves our kinds. */
  public static void apply(ApiClient api, List<JsonNode> documents) {
    for (JsonNode document : documents) {
      api.serverSideApply(path(document), "sluice-install", document.toString()).orThrow();
    }
    for (JsonNode document : documents) {
      if (document.path("kind").asText().equals(CRD)) {
        api.awaitEstablished(document.at("/metadata/name").asText(), ESTABLISHED);
      }
    }
  }

  /** Replaces a ClusterRoleBinding by one of that name to the role {@code view}. */
  public static void bindToAnotherRole(ApiClient api, String name) {
    String bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    ObjectNode other = (ObjectNode) api.get(bindings + "/" + name).orThrow().json();
    other.withObject("/roleRef").put("name", "view");
    ((ObjectNode) other.path("metadata")).remove(List.of("resourceVersion", "uid"));
    api.delete(bindings + "/" + name).orThrow();
    api.create(bindings, other.toString()).orThrow();
  }

  /** Where a document is in the API. */
  static String path(JsonNode document) {
    String kind = document.path("kind").asText();
    String collection = requireNonNull(COLLECTIONS.get(kind), kind);
    return collection.formatted(document.at("/metadata/namespace").asText())
        + document.at("/metadata/name").asText();
  }

  /** The way to a control plane with another token. */
  static Path kubeconfig(ControlPlane controlPlane, String token, Path file) throws IOException {
    String admin = Files.readString(controlPlane.kubeconfig());
    return Files.writeString(file, admin.replace(controlPlane.token(), token));
  }
}
