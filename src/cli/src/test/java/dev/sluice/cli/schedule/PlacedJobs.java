package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.Nodes;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Jobs in a whole cluster with the scheduler beside it. Each pool of nodes has a flavor, a
 * ClusterQueue and a namespace with a LocalQueue, all of the pool's name.
 */
final class PlacedJobs {
  static final String RACK = "example.com/rack";
  static final String HOSTNAME = "kubernetes.io/hostname";
  private static final int PLENTY = 100_000;
  private static final JsonMapper JSON = new JsonMapper();

  private final OwnCluster cluster;
  private final SchedulerBeside scheduler;

  PlacedJobs(OwnCluster cluster) {
    this(cluster, "");
  }

  /** With further lines of the scheduler's Configuration. */
  PlacedJobs(OwnCluster cluster, String configuration) {
    this.cluster = cluster;
    this.scheduler =
        new SchedulerBeside(
            cluster,
            """
            integrations:
              frameworks: ["batch/job"]
            """
                + configuration);
  }

  private ApiClient api() {
    return cluster.api();
  }

  SluiceProcess schedule() throws IOException {
    return scheduler.start();
  }

  void await(String what, BooleanSupplier condition) {
    scheduler.await(what, condition, this::unfinished);
  }

  /** What keeps jobs from their ends. */
  private String unfinished() {
    List<String> lines = new ArrayList<>();
    for (JsonNode workload : items(Kueue.everywhere(ApiKind.WORKLOAD))) {
      if (!ApiClient.hasCondition(workload, "Finished")) {
        String name = workload.at("/metadata/name").asText();
        lines.add(name + " " + Places.places(workload) + " " + workload.path("status"));
        pods(workload.at("/metadata/namespace").asText()).stream()
            .filter(pod -> workload(pod).equals(name))
            .map(PlacedJobs::describe)
            .forEach(lines::add);
      }
    }
    return String.join("\n", lines);
  }

  private static String workload(JsonNode pod) {
    return pod.at("/metadata/annotations").path("kueue.x-k8s.io/workload").asText();
  }

  private static String describe(JsonNode pod) {
    return "  %s gated %s on %s %s %s"
        .formatted(
            pod.at("/metadata/name").asText(),
            Places.isGated(pod),
            Places.host(pod),
            pod.at("/spec/nodeName"),
            pod.path("status"));
  }

  void node(String name, String pool, String rack, int cpu) {
    Nodes.create(api(), name, cpu, Map.of("pool", pool, "example.com/block", "b", RACK, rack))
        .orThrow();
  }

  /** A namespace with a queue for nodes of the pool of that name. */
  void queue(String pool, String topology) {
    api()
        .create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(pool))
        .orThrow();
    String placed = topology.isEmpty() ? "" : ",\"topologyName\":\"" + topology + "\"";
    create(
        ApiKind.RESOURCE_FLAVOR,
        pool,
        "{\"nodeLabels\":{\"pool\":\"" + pool + "\"}" + placed + "}");
    create(ApiKind.CLUSTER_QUEUE, pool, Kueue.clusterQueue(pool, PLENTY));
    Kueue.create(api(), ApiKind.LOCAL_QUEUE, pool, "main", Kueue.localQueue(pool)).orThrow();
  }

  private void create(ApiKind kind, String name, String spec) {
    Kueue.create(api(), kind, name, spec).orThrow();
  }

  void topology(ApiVersion version, String name, String... levels) {
    api()
        .create(Kueue.collection(ApiKind.TOPOLOGY, version), Kueue.topology(version, name, levels))
        .orThrow();
  }

  /**
   * A Job.
   *
   * @param annotations of its pods, without the domain, such as {@code podset-required-topology}
   */
  void job(String namespace, String name, int pods, int cpu, Map<String, String> annotations) {
    create(namespace, name, "", pods, pods, cpu, annotations);
  }

  /** A Job that may grow and shrink, and that no number of completed pods ends soon. */
  void elasticJob(
      String namespace, String name, int pods, int cpu, Map<String, String> annotations) {
    String elastic = ",\"annotations\":{\"kueue.x-k8s.io/elastic-job\":\"true\"}";
    create(namespace, name, elastic, pods, PLENTY, cpu, annotations);
  }

  /** The Job is to run with so many pods. */
  void scale(String namespace, String name, int pods) {
    api()
        .mergePatch(jobs(namespace) + "/" + name, "{\"spec\":{\"parallelism\":%d}}".formatted(pods))
        .orThrow();
  }

  private void create(
      String namespace,
      String name,
      String metadata,
      int pods,
      int completions,
      int cpu,
      Map<String, String> annotations) {
    ObjectNode told = JSON.createObjectNode();
    annotations.forEach(
        (key, value) -> told.put(key.contains("/") ? key : "kueue.x-k8s.io/" + key, value));
    api()
        .create(
            jobs(namespace),
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%1$s","labels":{
            "kueue.x-k8s.io/queue-name":"main"}%5$s},"spec":{"suspend":true,"parallelism":%2$d,
            "completions":%6$d,"backoffLimit":100,"template":{"metadata":{"annotations":%3$s},
            "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{
            "requests":{"cpu":"%4$d"}}}]}}}}\
            """
                .formatted(name, pods, told, cpu, metadata, completions))
        .orThrow();
  }

  private static String jobs(String namespace) {
    return "/apis/batch/v1/namespaces/" + namespace + "/jobs";
  }

  private List<JsonNode> items(String collection) {
    return api().get(collection).orThrow().json().path("items").valueStream().toList();
  }

  List<JsonNode> pods(String namespace) {
    return items("/api/v1/namespaces/" + namespace + "/pods");
  }

  List<JsonNode> workloads(String namespace) {
    return items(Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, namespace));
  }

  long completed(String namespace) {
    return items(jobs(namespace)).stream()
        .filter(it -> ApiClient.hasCondition(it, "Complete"))
        .count();
  }

  /** Where the first Workload is to be: its nodes with the number of pods of each. */
  Map<String, Integer> places(String namespace) {
    return new TreeMap<>(Places.places(workloads(namespace).getFirst()));
  }

  /** The nodes of the pods that run, with how many. */
  Map<String, Integer> running(String namespace) {
    Map<String, Integer> hosts = new TreeMap<>();
    for (JsonNode pod : pods(namespace)) {
      if (pod.at("/status/phase").asText().equals("Running")
          && !pod.path("metadata").has("deletionTimestamp")) {
        hosts.merge(pod.at("/spec/nodeName").asText(), 1, Integer::sum);
      }
    }
    return hosts;
  }
}
