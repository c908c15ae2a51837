package dev.sluice.manifests;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The packed manifests as trees, as they are in the repository: for the Service {@code
 * sluice-webhook} in {@code sluice-system}, without CA bundles. {@link Installation} adapts them to
 * a cluster.
 *
 * <p>Every call reads again and returns new trees. Safe for use by several threads.
 */
public final class Manifests {
  private static final List<String> DASHBOARDS =
      List.of("dashboard-queues", "dashboard-operations");

  private final YamlReader yaml = new YamlReader();

  /** The definitions of the kinds that are served, in the order of {@link ApiKind}. */
  public List<ObjectNode> crds() {
    return Arrays.stream(ApiKind.values()).map(this::crd).toList();
  }

  /** The definition of one kind. */
  public ObjectNode crd(ApiKind kind) {
    return read("crds/" + ApiVersion.GROUP + "_" + kind.plural() + ".yaml").getFirst();
  }

  /**
   * The OpenAPI schema of a kind in one version: the one the API server prunes and validates by.
   *
   * @throws IllegalArgumentException if the kind does not have the version
   */
  public JsonNode schema(ApiKind kind, ApiVersion version) {
    for (JsonNode candidate : crd(kind).at("/spec/versions")) {
      if (candidate.path("name").asText().equals(version.text())) {
        return candidate.at("/schema/openAPIV3Schema");
      }
    }
    throw new IllegalArgumentException(
        kind + " " + version + " (expected: one of " + kind.versions() + ")");
  }

  /** The registration where no configuration says which kinds of jobs are managed. */
  public List<ObjectNode> registration() {
    return registration(JobSelection.DEFAULT);
  }

  /**
   * The registration of the admission webhooks: mutating, then validating.
   *
   * @param jobs which kinds of jobs have theirs; our own kinds have them in any case
   */
  public List<ObjectNode> registration(JobSelection jobs) {
    return new Registration(
            read("registration/webhooks.yaml").getFirst(),
            jobs.selected(read("registration/jobs.yaml").getFirst()))
        .documents();
  }

  /** Service account with its token, role and binding of the webhook server. */
  public List<ObjectNode> rbac() {
    return read("rbac/webhook.yaml");
  }

  /** Role and binding for what the webhook server watches: it may read that, and no more. */
  public List<ObjectNode> viewRbac() {
    return read("rbac/view.yaml");
  }

  /** Service account, roles and bindings of the scheduler. */
  public List<ObjectNode> schedulerRbac() {
    return read("rbac/scheduler.yaml");
  }

  /** Service account, roles and bindings of the server of the visibility API. */
  public List<ObjectNode> visibilityRbac() {
    return read("rbac/see.yaml");
  }

  /** What that server may do beside where it writes forecasts to Workloads. */
  public List<ObjectNode> forecastRbac() {
    return read("rbac/see-forecasts.yaml");
  }

  /** Service and Deployment of the server of the visibility API, and what protects its Pods. */
  public List<ObjectNode> visibilityDeployment() {
    return read("deploy/see.yaml");
  }

  /** How the API server bounds what is asked of the visibility API. */
  public List<ObjectNode> visibilityFlow() {
    return read("deploy/see-flow.yaml");
  }

  /** An object for the Prometheus operator, about the server of the visibility API. */
  public List<ObjectNode> visibilityMonitoring() {
    return read("deploy/see-monitoring.yaml");
  }

  /** Where the API server finds the visibility API: an APIService for each version. */
  public List<ObjectNode> apiServices() {
    return read("registration/visibility.yaml");
  }

  /** Roles for the people of a cluster, which nobody has yet. */
  public List<ObjectNode> userRoles() {
    return new UserRoles(read("registration/jobs.yaml").getFirst()).documents();
  }

  /** The namespace the webhook server lives in. */
  public ObjectNode namespace() {
    return read("deploy/namespace.yaml").getFirst();
  }

  /** Service and Deployment of the webhook server, and what protects its Pods. */
  public List<ObjectNode> deployment() {
    return read("deploy/webhook.yaml");
  }

  /** How the API server treats the calls of both programs. */
  public List<ObjectNode> flow() {
    return read("deploy/flow.yaml");
  }

  /** What cert-manager makes the certificates of the servers from. */
  public List<ObjectNode> certManager() {
    return read("deploy/cert-manager.yaml");
  }

  /** Objects for the Prometheus operator, and dashboards for the sidecar of Grafana. */
  public List<ObjectNode> monitoring() {
    List<ObjectNode> documents = new ArrayList<>(read("deploy/monitoring.yaml"));
    for (ObjectNode document : documents) {
      if (document.path("kind").asText().equals("PrometheusRule")) {
        document.set("spec", alerts());
      }
    }
    DASHBOARDS.forEach(name -> documents.add(dashboard(name)));
    return documents;
  }

  /** What to alert on, as a rule file of Prometheus. */
  public ObjectNode alerts() {
    return read("monitoring/rules.yaml").getFirst();
  }

  private static ObjectNode dashboard(String name) {
    ObjectNode map = JsonNodeFactory.instance.objectNode();
    map.put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata")
        .put("name", "sluice-" + name)
        .put("namespace", Registration.OWN_NAMESPACE)
        .putObject("labels")
        .put("app.kubernetes.io/part-of", "sluice")
        .put("grafana_dashboard", "1");
    map.putObject("data").put("sluice-" + name + ".json", text("monitoring/" + name + ".json"));
    return map;
  }

  /** The text of a sample, comments included. */
  public String sample(Sample sample) {
    return text("samples/" + sample.fileName());
  }

  /**
   * The text of a scenario among the samples, comments included.
   *
   * @param name its file without the ending, such as {@code first-come}
   */
  public String scenario(String name) {
    return text("samples/scenarios/" + name + ".yaml");
  }

  private List<ObjectNode> read(String file) {
    return yaml.readAll(file, text(file));
  }

  private static String text(String file) {
    try (InputStream stream = Manifests.class.getResourceAsStream(file)) {
      if (stream == null) {
        throw new IllegalStateException(
            file + " is not in the jar (expected: packed with the module)");
      }
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}
