package dev.sluice.cli.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.Poll;
import dev.sluice.testkit.controlplane.ControlPlane;
import dev.sluice.testkit.controlplane.ControlPlane.Part;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that are placed by topology, on a whole control plane with simulated nodes. {@code
 * -Dtopology.blink=30} lets a node blink for longer.
 */
@NeedsControlPlane
@Timeout(1200)
@SuppressWarnings("NullAway.Init") // set before all tests
class TopologyE2E {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);
  private static final JsonMapper JSON = new JsonMapper();
  private static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String RACK = "example.com/rack";
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final int BLINK_SECONDS = Integer.getInteger("topology.blink", 3);

  @TempDir private static Path folder;
  private static DevCluster cluster;
  private static ApiClient api;
  private static Path configuration;
  private static Path log;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        DevCluster.start(
            folder,
            ControlPlane.Options.wholeCluster(),
            ServerOptions.DEFAULT.listeningOn(ANYWHERE, ANYWHERE),
            _ -> {});
    api = cluster.controlPlane().client();
    log = folder.resolve("schedule.log");
    configuration =
        Files.writeString(
            folder.resolve("configuration.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection:
              leaderElect: true
              leaseDuration: 8s
              renewDeadline: 6s
              retryPeriod: 500ms
            integrations:
              frameworks: ["batch/job"]
            """);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static ScheduleProcess schedule() throws IOException {
    return new ScheduleProcess(cluster.controlPlane().kubeconfig(), configuration, log);
  }

  private static void await(String what, BooleanSupplier condition) throws IOException {
    assertThat(Poll.until(SOON, PAUSE, condition))
        .as(() -> what + "\n" + tail() + "\n" + unfinished())
        .isTrue();
  }

  private static String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** What keeps jobs from their ends. */
  private static String unfinished() {
    List<String> lines = new ArrayList<>();
    for (JsonNode workload : items(KUEUE + "workloads")) {
      if (!Conditions.isTrue(workload, "Finished")) {
        String name = workload.at("/metadata/name").asText();
        lines.add(name + " " + Places.places(workload) + " " + workload.path("status"));
        for (JsonNode pod : pods(workload.at("/metadata/namespace").asText())) {
          if (pod.at("/metadata/annotations")
              .path("kueue.x-k8s.io/workload")
              .asText()
              .equals(name)) {
            lines.add(
                "  %s gated %s on %s %s %s"
                    .formatted(
                        pod.at("/metadata/name").asText(),
                        Places.isGated(pod),
                        Places.host(pod),
                        pod.at("/spec/nodeName"),
                        pod.path("status")));
          }
        }
      }
    }
    return String.join("\n", lines);
  }

  private static void create(String path, String kind, String name, String spec) {
    String apiVersion = path.substring("/apis/".length(), path.lastIndexOf('/'));
    int namespaces = apiVersion.indexOf("/namespaces/");
    api.create(
            path,
            "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"},\"spec\":%s}"
                .formatted(
                    namespaces < 0 ? apiVersion : apiVersion.substring(0, namespaces),
                    kind,
                    name,
                    spec))
        .orThrow();
  }

  private static void node(String name, String pool, String rack, int cpu) {
    api.create(
            "/api/v1/nodes",
            """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","labels":{"pool":"%2$s",
            "kubernetes.io/hostname":"%1$s","example.com/block":"b","example.com/rack":"%3$s"}},
            "status":{"capacity":{"cpu":"%4$d","memory":"256Gi","pods":"110"},
            "allocatable":{"cpu":"%4$d","memory":"256Gi","pods":"110"}}}\
            """
                .formatted(name, pool, rack, cpu))
        .orThrow();
  }

  /** A namespace with a queue for nodes of the pool of that name. */
  private static void queue(String name, String topology) {
    api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name)).orThrow();
    String placed = topology.isEmpty() ? "" : ",\"topologyName\":\"" + topology + "\"";
    create(
        KUEUE + "resourceflavors",
        "ResourceFlavor",
        name,
        "{\"nodeLabels\":{\"pool\":\"%s\"}%s}".formatted(name, placed));
    create(
        KUEUE + "clusterqueues",
        "ClusterQueue",
        name,
        """
        {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
        {"name":"%s","resources":[{"name":"cpu","nominalQuota":100000}]}]}]}\
        """
            .formatted(name));
    create(
        KUEUE + "namespaces/" + name + "/localqueues",
        "LocalQueue",
        "main",
        "{\"clusterQueue\":\"%s\"}".formatted(name));
  }

  private static void topology(String version, String name, String... levels) {
    create(
        "/apis/kueue.x-k8s.io/" + version + "/topologies",
        "Topology",
        name,
        "{\"levels\":[" + levels(levels) + "]}");
  }

  private static String levels(String... levels) {
    return String.join(
        ",", Arrays.stream(levels).map(it -> "{\"nodeLabel\":\"" + it + "\"}").toList());
  }

  /**
   * A Job.
   *
   * @param annotations of its pods, without the domain, such as {@code podset-required-topology}
   */
  private static void job(
      String namespace, String name, int pods, int cpu, Map<String, String> annotations) {
    ObjectNode told = JSON.createObjectNode();
    annotations.forEach(
        (key, value) -> told.put(key.contains("/") ? key : "kueue.x-k8s.io/" + key, value));
    api.create(
            "/apis/batch/v1/namespaces/" + namespace + "/jobs",
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%1$s","labels":{
            "kueue.x-k8s.io/queue-name":"main"}},"spec":{"suspend":true,"parallelism":%2$d,
            "completions":%2$d,"backoffLimit":100,"template":{"metadata":{"annotations":%3$s},
            "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{
            "requests":{"cpu":"%4$d"}}}]}}}}\
            """
                .formatted(name, pods, told, cpu))
        .orThrow();
  }

  private static List<JsonNode> items(String collection) {
    return api.get(collection).orThrow().json().path("items").valueStream().toList();
  }

  private static List<JsonNode> pods(String namespace) {
    return items("/api/v1/namespaces/" + namespace + "/pods");
  }

  private static JsonNode workload(String namespace) {
    return items(KUEUE + "namespaces/" + namespace + "/workloads").getFirst();
  }

  private static long completed(String namespace) {
    return items("/apis/batch/v1/namespaces/" + namespace + "/jobs").stream()
        .filter(it -> Conditions.isTrue(it, "Complete"))
        .count();
  }

  private static String active(String queue) {
    for (JsonNode condition :
        api.get(KUEUE + "clusterqueues/" + queue).orThrow().json().at("/status/conditions")) {
      if (condition.path("type").asText().equals("Active")) {
        return condition.path("reason").asText() + ": " + condition.path("message").asText();
      }
    }
    return "";
  }

  private static void ready(String node, boolean yes) {
    api.mergePatch(
            "/api/v1/nodes/" + node + "/status",
            """
            {"status":{"conditions":[{"type":"Ready","status":"%s","reason":"Test","message":"",
            "lastHeartbeatTime":"%2$s","lastTransitionTime":"%2$s"}]}}\
            """
                .formatted(yes ? "True" : "False", Instant.now().truncatedTo(ChronoUnit.SECONDS)))
        .orThrow();
  }

  /** Holds the simulation of nodes, or lets it go on. */
  private static void kwok(String signal) throws IOException, InterruptedException {
    long pid = cluster.controlPlane().pid(Part.KWOK).orElseThrow();
    new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
  }

  private static Map<String, Integer> places(String namespace) {
    return new TreeMap<>(Places.places(workload(namespace)));
  }

  /** The nodes of the pods that run, with how many. */
  private static Map<String, Integer> running(String namespace) {
    Map<String, Integer> hosts = new TreeMap<>();
    for (JsonNode pod : pods(namespace)) {
      if (pod.at("/status/phase").asText().equals("Running")
          && !pod.path("metadata").has("deletionTimestamp")) {
        hosts.merge(pod.at("/spec/nodeName").asText(), 1, Integer::sum);
      }
    }
    return hosts;
  }

  /** The node dies with all that runs there. */
  private static void fail(String namespace, String node) {
    api.delete("/api/v1/nodes/" + node).orThrow();
    for (JsonNode pod : pods(namespace)) {
      if (pod.at("/spec/nodeName").asText().equals(node)) {
        String name = pod.at("/metadata/name").asText();
        api.mergePatch(
            "/api/v1/namespaces/" + namespace + "/pods/" + name + "/status",
            "{\"status\":{\"phase\":\"Failed\"}}");
      }
    }
  }

  @Test
  void aFailedNodeIsReplacedAndOneThatOnlyBlinksChangesNothing()
      throws IOException, InterruptedException {
    topology("v1beta2", "falls", RACK, HOSTNAME);
    for (String name : List.of("falls-1", "falls-2", "falls-3")) {
      node(name, "falls", "r", 4);
    }
    node("falls-4", "falls", "other", 4);
    queue("falls", "falls");
    try (ScheduleProcess process = schedule()) {
      job(
          "falls",
          "lasting",
          2,
          3,
          Map.of("podset-required-topology", RACK, "simulated/run-forever", "true"));
      await("both run", () -> running("falls").size() == 2);
      Map<String, Integer> before = places("falls");
      assertThat(before).hasSize(2).isEqualTo(running("falls"));
      String first = before.keySet().iterator().next();

      // it blinks
      kwok("STOP");
      ready(first, false);
      Poll.until(Duration.ofSeconds(BLINK_SECONDS), PAUSE, () -> false);
      JsonNode blinking = workload("falls");
      ready(first, true);
      kwok("CONT");
      assertThat(blinking.path("status").has("unhealthyNodes")).isFalse();
      assertThat(places("falls")).isEqualTo(before).isEqualTo(running("falls"));

      // it dies: the pods that are lost go where the others are
      fail("falls", first);
      await(
          "it is replaced",
          () -> places("falls").size() == 2 && !places("falls").containsKey(first));
      await("both run there", () -> running("falls").equals(places("falls")));
      assertThat(places("falls")).doesNotContainKey("falls-4");
      assertThat(workload("falls").path("status").has("unhealthyNodes")).isFalse();

      // another one dies: there is no room left in the rack
      fail("falls", places("falls").keySet().iterator().next());
      await(
          "it gives way",
          () -> workload("falls").at("/status/conditions").toString().contains("NodeFailures"));
      node(first, "falls", "r", 4);
      await(
          "both run again in the rack",
          () -> running("falls").size() == 2 && running("falls").equals(places("falls")));
      assertThat(process.stop()).isTrue();
    } finally {
      kwok("CONT");
    }
  }

  /** Stores something in a Topology that the API server would not take. */
  private static void store(String topology, String levels) throws IOException {
    String key = "/registry/kueue.x-k8s.io/topologies/" + topology;
    JsonNode found = etcd("range", "{\"key\":\"%s\"}".formatted(base64(key))).at("/kvs/0/value");
    ObjectNode stored = (ObjectNode) JSON.readTree(Base64.getDecoder().decode(found.asText()));
    ((ObjectNode) stored.path("spec")).set("levels", JSON.readTree("[" + levels + "]"));
    etcd(
        "put",
        "{\"key\":\"%s\",\"value\":\"%s\"}".formatted(base64(key), base64(stored.toString())));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static JsonNode etcd(String call, String body) throws IOException {
    long pid = cluster.controlPlane().pid(Part.ETCD).orElseThrow();
    String flag = "--listen-client-urls=";
    String url =
        Arrays.stream(ProcessHandle.of(pid).orElseThrow().info().arguments().orElseThrow())
            .filter(it -> it.startsWith(flag))
            .findFirst()
            .orElseThrow()
            .substring(flag.length());
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(url + "/v3/kv/" + call))
                  .POST(BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofByteArray());
      return JSON.readTree(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** What once crashed others: levels that a conversion lost, and nodes that come then. */
  @Test
  void aTopologyThatLosesItsLevelsStopsItsQueueAloneUntilItHasSome()
      throws IOException, InterruptedException {
    topology("v1alpha1", "story", RACK, HOSTNAME);
    for (String version : List.of("v1alpha1", "v1beta1", "v1beta2")) {
      assertThat(
              api.get("/apis/kueue.x-k8s.io/" + version + "/topologies/story")
                  .orThrow()
                  .json()
                  .at("/spec/levels"))
          .hasToString("[" + levels(RACK, HOSTNAME) + "]");
    }
    queue("story", "story");
    queue("plain", "");
    node("story-1", "story", "r", 4);
    node("plain-1", "plain", "r", 4);
    try (ScheduleProcess process = schedule()) {
      job("story", "first", 2, 1, Map.of("podset-required-topology", RACK));
      await("it is completed", () -> completed("story") == 1);

      store("story", "");
      await(
          "the queue says why it is inactive",
          () ->
              active("story").startsWith("TopologyNotFound: ")
                  && active("story").contains("Topology story: spec.levels is empty"));
      node("story-2", "story", "r", 4);
      job("story", "second", 2, 1, Map.of("podset-required-topology", RACK));
      job("plain", "other", 2, 1, Map.of());
      await("others go on", () -> completed("plain") == 1);
      await(
          "who waits is told why",
          () ->
              items(KUEUE + "namespaces/story/workloads")
                  .toString()
                  .contains("Topology story: spec.levels is empty"));
      assertThat(completed("story")).isEqualTo(1);

      store("story", levels(RACK, "example.com/row", HOSTNAME));
      await(
          "the queue names the level that no node has",
          () -> active("story").contains("spec.levels[1].nodeLabel example.com/row"));

      store("story", levels(RACK, HOSTNAME));
      await("it goes on", () -> completed("story") == 2);
      assertThat(active("story")).startsWith("Ready");

      // the topology itself goes, and comes back
      job(
          "story",
          "third",
          2,
          1,
          Map.of("podset-required-topology", RACK, "simulated/run-forever", "true"));
      await("it runs", () -> running("story").size() == 1);
      Map<String, Integer> before = running("story");
      api.mergePatch(KUEUE + "topologies/story", "{\"metadata\":{\"finalizers\":null}}");
      api.delete(KUEUE + "topologies/story").orThrow();
      await(
          "it is gone",
          () -> {
            api.mergePatch(KUEUE + "topologies/story", "{\"metadata\":{\"finalizers\":null}}");
            return api.get(KUEUE + "topologies/story").status() == 404;
          });
      await("the queue is inactive", () -> active("story").startsWith("TopologyNotFound"));
      topology("v1beta1", "story", RACK, HOSTNAME);
      job("story", "fourth", 2, 1, Map.of("podset-preferred-topology", RACK));
      await("the next is completed", () -> completed("story") == 3);
      assertThat(running("story")).isEqualTo(before);
      assertThat(process.stop()).isTrue();
    }
  }
}
