package dev.sluice.cli.devcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Labels;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** What a manager and its workers need beside Sluice, with the names of the page about it. */
final class FleetObjects {
  private static final String CHECK = "multikueue";
  private static final String CONFIG = "workers";
  private static final String FLAVOR = "anywhere";
  private static final String QUEUE = "all-clusters";
  private static final String LOCAL_QUEUE = "jobs";
  private static final String NAMESPACE = "default";
  private static final int CPUS = 100;

  private FleetObjects() {}

  /** The path of an object at its version. */
  static String path(ObjectNode object) {
    String apiVersion = object.path("apiVersion").asText();
    String kind = object.path("kind").asText();
    String namespace = object.at("/metadata/namespace").asText("");
    return (apiVersion.contains("/") ? "/apis/" : "/api/")
        + apiVersion
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + kind.toLowerCase(Locale.ROOT)
        + "s/"
        + object.at("/metadata/name").asText();
  }

  private static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", apiVersion).put("kind", kind);
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    return object;
  }

  private static ObjectNode ours(ApiKind kind, String namespace, String name) {
    return object(ApiVersion.HUB.groupVersion(), kind.kind(), namespace, name);
  }

  static ObjectNode namespace(String name) {
    return object("v1", "Namespace", "", name);
  }

  static ObjectNode secret(String namespace, String name, String kubeconfig) {
    ObjectNode secret = object("v1", "Secret", namespace, name);
    secret
        .putObject("data")
        .put("kubeconfig", Base64.getEncoder().encodeToString(kubeconfig.getBytes(UTF_8)));
    return secret;
  }

  static ObjectNode cluster(String name) {
    ObjectNode cluster = ours(ApiKind.MULTI_KUEUE_CLUSTER, "", name);
    cluster
        .putObject("spec")
        .putObject("clusterSource")
        .putObject("kubeConfig")
        .put("locationType", "Secret")
        .put("location", name);
    return cluster;
  }

  static ObjectNode config(List<String> clusters) {
    ObjectNode config = ours(ApiKind.MULTI_KUEUE_CONFIG, "", CONFIG);
    clusters.forEach(config.putObject("spec").putArray("clusters")::add);
    return config;
  }

  static ObjectNode check() {
    ObjectNode check = ours(ApiKind.ADMISSION_CHECK, "", CHECK);
    check
        .putObject("spec")
        .put("controllerName", Controllers.MULTI_KUEUE)
        .putObject("parameters")
        .put("apiGroup", ApiVersion.GROUP)
        .put("kind", ApiKind.MULTI_KUEUE_CONFIG.kind())
        .put("name", CONFIG);
    return check;
  }

  /**
   * A flavor, a ClusterQueue and a LocalQueue.
   *
   * @param isManager whether what is admitted goes to workers
   */
  static List<ObjectNode> queues(boolean isManager) {
    ObjectNode queue = ours(ApiKind.CLUSTER_QUEUE, "", QUEUE);
    ObjectNode spec = queue.putObject("spec");
    spec.putObject("namespaceSelector");
    ObjectNode group = spec.putArray("resourceGroups").addObject();
    group.putArray("coveredResources").add("cpu");
    ObjectNode flavor = group.putArray("flavors").addObject().put("name", FLAVOR);
    flavor.putArray("resources").addObject().put("name", "cpu").put("nominalQuota", CPUS);
    if (isManager) {
      spec.putObject("admissionChecksStrategy")
          .putArray("admissionChecks")
          .addObject()
          .put("name", CHECK);
    }
    ObjectNode local = ours(ApiKind.LOCAL_QUEUE, NAMESPACE, LOCAL_QUEUE);
    local.putObject("spec").put("clusterQueue", QUEUE);
    ObjectNode anywhere = ours(ApiKind.RESOURCE_FLAVOR, "", FLAVOR);
    anywhere.putObject("spec");
    return List.of(anywhere, queue, local);
  }

  /** A Job that runs on a worker and ends by itself. */
  static ObjectNode job() {
    ObjectNode job = object("batch/v1", "Job", NAMESPACE, "hello");
    ObjectNode metadata = (ObjectNode) job.path("metadata");
    metadata.putObject("labels").put(Labels.QUEUE_NAME, LOCAL_QUEUE);
    ObjectNode spec = job.putObject("spec").put("completions", 3).put("parallelism", 3);
    ObjectNode pod = spec.putObject("template").putObject("spec").put("restartPolicy", "Never");
    ObjectNode container =
        pod.putArray("containers").addObject().put("name", "hello").put("image", "none");
    container.putObject("resources").putObject("requests").put("cpu", "1");
    return job;
  }
}
