package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.MULTI_KUEUE_CLUSTER;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.cli.Commands;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are taken away while Jobs run there. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(900)
class MultiKueueDrainE2E {
  private static final String QUEUE = "shared";

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  /** Where each Job runs as the workers' watches show it. */
  private static final Map<String, Set<String>> RUNNING = new ConcurrentHashMap<>();

  /** Jobs that were started on a worker while another still ran them. */
  private static final List<String> DOUBLED = new CopyOnWriteArrayList<>();

  @TempDir Path folder;

  @BeforeAll
  static void schedulers() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("namespace", Fleet.HOME).putObject("multiKueue").put("workerLostTimeout", "8s");
    Configuration configuration = ConfigurationReader.excerpt(document);
    FLEET.workers.forEach(
        (name, cluster) -> {
          FLEET.opened(InProcessScheduler.of(cluster, configuration));
          FLEET.opened(
              List.of(
                  new WatchedRevisions(
                      cluster.api(),
                      List.of("/apis/batch/v1/jobs"),
                      (_, job, gone) -> seen(name, job, gone))));
        });
    FLEET.startManager(configuration);
    FLEET.managerQueue(QUEUE);
    FLEET.workers.keySet().forEach(it -> FLEET.workerQueue(it, QUEUE));
  }

  private static void seen(String worker, JsonNode job, boolean gone) {
    String name = job.at("/metadata/name").asText();
    Set<String> places = RUNNING.computeIfAbsent(name, _ -> ConcurrentHashMap.newKeySet());
    boolean isStarted = !gone && !job.at("/spec/suspend").asBoolean();
    if (isStarted && places.add(worker) && runsOn(Fleet.other(worker), name)) {
      DOUBLED.add(name + " on " + worker + " while on " + Fleet.other(worker));
    } else if (!isStarted) {
      places.remove(worker);
    }
  }

  /** Asks the worker itself, whose watch may be behind. */
  private static boolean runsOn(String worker, String job) {
    try {
      return FLEET.api(worker).get(Fleet.job(job)).json().at("/status/active").asInt() > 0;
    } catch (ControlPlaneException _) {
      return false; // it is away, and nobody can know
    }
  }

  private static String path(String cluster) {
    return Kueue.path(MULTI_KUEUE_CLUSTER, ApiVersion.HUB, cluster);
  }

  private static boolean isHeld(String cluster) {
    return FLEET
        .api()
        .get(path(cluster))
        .json()
        .at("/metadata/finalizers")
        .toString()
        .contains("sluice.dev/multikueue-cleanup");
  }

  private static void create(String cluster) {
    Kueue.create(
            FLEET.api(),
            MULTI_KUEUE_CLUSTER,
            cluster,
            "{\"clusterSource\":{\"kubeConfig\":{\"locationType\":\"Secret\",\"location\":\"%s\"}}}"
                .formatted(cluster))
        .orThrow();
    FLEET.await(cluster + " is held", () -> isHeld(cluster));
  }

  private static void awaitGone(String cluster) {
    FLEET.await(cluster + " is gone", () -> FLEET.api().get(path(cluster)).status() == 404);
  }

  private static void end(String job) {
    FLEET.succeed(FLEET.chosen(job), job);
    FLEET.finishes(job);
    FLEET.leavesNothingElsewhere(job);
    assertThat(DOUBLED).isEmpty();
  }

  private static void clusters(String names) {
    FLEET
        .api()
        .mergePatch(
            Kueue.path(MULTI_KUEUE_CONFIG, ApiVersion.HUB, "config"),
            "{\"spec\":{\"clusters\":[%s]}}".formatted(names))
        .orThrow();
  }

  @Test
  void aClusterTakenOutOfTheConfigurationIsStoppedBeforeAnotherStarts() {
    FLEET.createJob("moved", QUEUE);
    String first = FLEET.runs("moved");

    clusters("\"" + Fleet.other(first) + "\"");
    try {
      FLEET.await("it moves", () -> FLEET.chosen("moved").equals(Fleet.other(first)));
      FLEET.runs("moved");
      FLEET.leavesNothingOn(first, "moved");
      FLEET.await("it is let go", () -> !isHeld(first));
    } finally {
      clusters("\"a\",\"b\"");
    }
    FLEET.await("it is held again", () -> isHeld(first));
    end("moved");
  }

  @Test
  void aDeletedClusterGoesWhenItIsDrainedAndItsJobRunsElsewhere() {
    FLEET.createJob("drained", QUEUE);
    String first = FLEET.runs("drained");
    assertThat(isHeld(first)).isTrue();

    FLEET.api().delete(path(first)).orThrow();

    awaitGone(first);
    assertThat(FLEET.left(first, "drained")).isEmpty();
    FLEET.await("it moves", () -> FLEET.chosen("drained").equals(Fleet.other(first)));
    FLEET.runs("drained");
    create(first);
    end("drained");
  }

  @Test
  void aDeletedClusterOutOfReachGoesWithAWarningAndIsTidiedWhenItIsNamedAgain() {
    FLEET.createJob("left", QUEUE);
    String first = FLEET.runs("left");

    FLEET.cluster(first).controlPlane().stopApiServer();
    try {
      FLEET.api().delete(path(first)).orThrow();
      awaitGone(first);
      assertThat(warnings(first))
          .anyMatch(it -> it.contains("1 jobs.batch, 1 workloads.kueue.x-k8s.io are left there"))
          .anyMatch(it -> it.contains("-l kueue.x-k8s.io/multikueue-origin=multikueue"));
      FLEET.await("it moves", () -> FLEET.chosen("left").equals(Fleet.other(first)));
      FLEET.runs("left");
    } finally {
      FLEET.cluster(first).controlPlane().restartApiServer();
    }
    create(first);

    FLEET.leavesNothingOn(first, "left");
    assertThat(FLEET.chosen("left")).isEqualTo(Fleet.other(first));
    DOUBLED.clear(); // while a worker is away nobody can stop what runs there
    end("left");
  }

  private static List<String> warnings(String cluster) {
    List<String> messages = new ArrayList<>();
    for (JsonNode event : FLEET.api().get("/api/v1/events").orThrow().json().path("items")) {
      if (event.path("reason").asText().equals("ObjectsLeftOnWorker")
          && event.at("/involvedObject/name").asText().equals(cluster)) {
        messages.add(event.path("message").asText());
      }
    }
    return messages;
  }

  private JsonNode doctor() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("config.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            namespace: %s
            integrations: {frameworks: [batch/job]}
            """
                .formatted(Fleet.HOME));
    Commands.Ran ran =
        Commands.run(
            "doctor",
            "--kubeconfig=" + FLEET.manager.controlPlane().kubeconfig(),
            "--config=" + config,
            "-o",
            "json");
    assertThat(ran.out() + ran.err()).doesNotContain(FLEET.tokens());
    return new JsonMapper().readTree(ran.out()).path("findings");
  }

  private static List<String> told(JsonNode findings, String object) {
    List<String> told = new ArrayList<>();
    for (JsonNode finding : findings) {
      if (finding.path("object").asText().equals(object)) {
        told.add(finding.path("level").asText() + ": " + finding.path("seen").asText());
      }
    }
    return told;
  }

  @Test
  void doctorLooksAtTheWorkersWithTheLoginOfTheManager() throws IOException {
    FLEET.managerQueue("here-only");
    FLEET
        .api("b")
        .create(
            Fleet.workloads(),
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"theirs",
            "labels":{"kueue.x-k8s.io/multikueue-origin":"multikueue"},
            "annotations":{"sluice.dev/multikueue-manager":"another"}},"spec":{"queueName":"none",
            "podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[{"name":"c",
            "image":"i"}],"restartPolicy":"Never"}}}]}}\
            """)
        .orThrow();

    JsonNode findings = doctor();

    assertThat(told(findings, "MultiKueueCluster a"))
        .anyMatch(it -> it.startsWith("ok: is connected") || it.startsWith("warning: Connected; "));
    assertThat(told(findings, "worker a"))
        .anyMatch(it -> it.startsWith("ok: answers, Kubernetes v"))
        .contains("ok: gives the account its rights")
        .contains("warning: has no LocalQueue team/here-only: Workloads of it wait there for ever")
        .noneMatch(it -> it.contains("other managers"));
    assertThat(told(findings, "worker b"))
        .contains("warning: other managers use the origin \"multikueue\" there, too: another");
    FLEET.api("b").delete(Fleet.workloads() + "/theirs").orThrow();
  }

  @Test
  void explainShowsWhereAJobRuns() throws IOException {
    FLEET.createJob("explained", QUEUE);
    String winner = FLEET.runs("explained");

    Commands.Ran ran =
        Commands.run(
            "explain",
            Fleet.NAMESPACE + "/explained",
            "--kubeconfig=" + FLEET.manager.controlPlane().kubeconfig(),
            "-o",
            "json");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out() + ran.err()).doesNotContain(FLEET.tokens());
    for (JsonNode cluster : new JsonMapper().readTree(ran.out()).path("otherClusters")) {
      boolean isWinner = cluster.path("cluster").asText().equals(winner);
      assertThat(cluster.path("here").asText()).isEqualTo(isWinner ? "chosen" : "not offered");
      assertThat(cluster.path("connection").asText()).startsWith("connected");
    }
    end("explained");
  }
}
