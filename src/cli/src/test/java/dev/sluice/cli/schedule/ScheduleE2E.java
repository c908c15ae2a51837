package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.Poll;
import dev.sluice.testkit.controlplane.ControlPlane;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scheduler as a process beside a real API server. */
@NeedsControlPlane
@Timeout(360)
@SuppressWarnings("NullAway.Init") // set before all tests
class ScheduleE2E {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);
  private static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final int WORLDS = 40;

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
            ControlPlane.Options.apiServer(),
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
              leaseDuration: 3s
              renewDeadline: 2s
              retryPeriod: 500ms
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
    assertThat(Poll.until(SOON, PAUSE, condition)).as(() -> what + "\n" + tail()).isTrue();
  }

  private static String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String workloads(String namespace) {
    return KUEUE + "namespaces/" + namespace + "/workloads";
  }

  private static void namespace(String name) {
    api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name)).orThrow();
  }

  private static Runnable creates(String collection, String kind, String name, String spec) {
    return () ->
        api.create(
                KUEUE + collection,
                """
                {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"%s","metadata":{"name":"%s",
                "finalizers":[]},"spec":%s}\
                """
                    .formatted(kind, name, spec))
            .orThrow();
  }

  private static List<Runnable> queues(String namespace, String name, int quota) {
    return List.of(
        creates("resourceflavors", "ResourceFlavor", "f-" + name, "{}"),
        creates(
            "clusterqueues",
            "ClusterQueue",
            "cq-" + name,
            """
            {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
            {"name":"f-%s","resources":[{"name":"cpu","nominalQuota":%d}]}]}]}\
            """
                .formatted(name, quota)),
        creates(
            "namespaces/" + namespace + "/localqueues",
            "LocalQueue",
            "lq-" + name,
            "{\"clusterQueue\":\"cq-%s\"}".formatted(name)));
  }

  private static Runnable workload(String namespace, String name, String queue) {
    return creates(
        "namespaces/" + namespace + "/workloads",
        "Workload",
        name,
        """
        {"queueName":"lq-%s","podSets":[{"name":"main","count":1,"template":{"spec":{
        "restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{"requests":{
        "cpu":"1"}}}]}}}]}\
        """
            .formatted(queue));
  }

  private static List<JsonNode> all(String namespace) {
    List<JsonNode> all = new ArrayList<>();
    api.get(workloads(namespace)).orThrow().json().path("items").forEach(all::add);
    return all;
  }

  /** What a job would have written: it is over. A conflict is left for the next round. */
  private static void finish(JsonNode workload) {
    ObjectNode patch = workload.deepCopy();
    ObjectNode finished = ((ObjectNode) patch.path("status")).withArray("conditions").addObject();
    finished.put("type", "Finished").put("status", "True").put("reason", "Succeeded");
    finished.put("message", "over");
    finished.put("lastTransitionTime", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    String name = workload.at("/metadata/name").asText();
    String namespace = workload.at("/metadata/namespace").asText();
    api.put(workloads(namespace) + "/" + name + "/status", patch.toString());
  }

  private static int finishAdmitted(String namespace) {
    int finished = 0;
    for (JsonNode workload : all(namespace)) {
      if (ApiClient.hasCondition(workload, "Finished")) {
        finished++;
      } else if (ApiClient.hasCondition(workload, "Admitted")) {
        finish(workload);
      }
    }
    return finished;
  }

  @Test
  void whateverComesFirstTheEndIsTheSame() throws IOException, InterruptedException {
    namespace("orders");
    Random random = new Random(11);
    List<Runnable> creations = new ArrayList<>();
    for (int i = 0; i < WORLDS; i++) {
      String name = "w" + i;
      List<Runnable> world = new ArrayList<>(queues("orders", name, 2));
      world.add(workload("orders", name + "-a", name));
      world.add(workload("orders", name + "-b", name));
      Collections.shuffle(world, random);
      creations.addAll(world);
    }
    try (ScheduleProcess process = schedule()) {
      creations.forEach(Runnable::run);

      await(
          "all are admitted",
          () -> all("orders").stream().allMatch(it -> ApiClient.hasCondition(it, "Admitted")));
      for (int i = 0; i < WORLDS; i++) {
        String queue = KUEUE + "clusterqueues/cq-w" + i;
        await(
            queue + " counts both",
            () -> {
              JsonNode status = api.get(queue).orThrow().json().path("status");
              return status.path("admittedWorkloads").asInt() == 2
                  && status.path("pendingWorkloads").asInt() == 0
                  && status.at("/flavorsUsage/0/resources/0/total").asText().equals("2")
                  && status.at("/conditions/0/reason").asText().equals("Ready");
            });
      }
      assertThat(process.stop()).isTrue();
    }
  }

  @Test
  void aQueueThatIsDeletedAdmitsNobodyAndGoesWithItsLastWorkload()
      throws IOException, InterruptedException {
    namespace("leaving");
    queues("leaving", "leaving", 1).forEach(Runnable::run);
    workload("leaving", "first", "leaving").run();
    workload("leaving", "second", "leaving").run();
    String queue = KUEUE + "clusterqueues/cq-leaving";
    try (ScheduleProcess process = schedule()) {
      await("one is admitted", () -> admitted("leaving") == 1);

      api.delete(queue).orThrow();
      await(
          "it says that it goes",
          () ->
              api.get(queue)
                  .orThrow()
                  .json()
                  .at("/status/conditions/0/reason")
                  .asText()
                  .equals("Terminating"));
      await(
          "it is gone once nobody holds its quota",
          () -> {
            finishAdmitted("leaving");
            return api.get(queue).status() == 404;
          });
      await(
          "who waits is told why",
          () ->
              all("leaving").stream()
                  .map(it -> it.at("/status/conditions").toString())
                  .anyMatch(it -> it.contains("ClusterQueue cq-leaving doesn't exist")));
      assertThat(process.stop()).isTrue();
    }
  }

  private static long admitted(String namespace) {
    return all(namespace).stream()
        .filter(
            it -> ApiClient.hasCondition(it, "Admitted") && !ApiClient.hasCondition(it, "Finished"))
        .count();
  }
}
