package dev.sluice.multicluster.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.meta.Conditions;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.multicluster.MultiKueue;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.link.LinkTimes;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All controllers of a manager, and workers on loopback over TLS that answer as they like. */
@Timeout(240)
class LinkFaultsTest {
  private static final Duration AMPLE = Duration.ofSeconds(60);
  private static final String SECRETS = "/api/v1/namespaces/home/secrets";
  private static final String CHECKS = "/apis/kueue.x-k8s.io/v1beta2/admissionchecks";
  private static final String ALL_JOBS = "/apis/batch/v1/jobs";
  private static final String LISTS = "GET /apis/kueue.x-k8s.io/v1beta2/workloads?limit";
  private static final LinkTimes TIMES =
      new LinkTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofMillis(100),
          Duration.ofMillis(100),
          Duration.ofMillis(500));

  @TempDir private Path folder;
  private Clusters clusters;
  private CertificateFolder certificates;
  private List<Controller> controllers;
  private final Map<String, MemoryApiServer> workers = new LinkedHashMap<>();

  @BeforeEach
  void aManager() {
    clusters = new Clusters(folder);
    certificates =
        CertificateFolder.open(
            clusters.below("certs"),
            List.of("127.0.0.1", "localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    clusters
        .manager
        .objects()
        .put("/api/v1/namespaces", "{'metadata': {'name': 'kube-system', 'uid': 'us'}}");
    clusters
        .manager
        .objects()
        .put(
            CHECKS,
            """
            {'metadata': {'name': 'mk'}, 'spec': {'controllerName': 'kueue.x-k8s.io/multikueue',
              'parameters': {'apiGroup': 'kueue.x-k8s.io', 'kind': 'MultiKueueConfig',
              'name': 'c'}}}\
            """);
    Configuration configuration = Configuration.defaults("home");
    controllers =
        new MultiKueue(configuration, Extensions.DEFAULT, folder, TIMES).create(clusters.ports);
    clusters.changed = (kind, change) -> controllers.forEach(it -> it.changed(kind, change));
    controllers.forEach(Controller::resync);
  }

  @AfterEach
  void itEnds() {
    for (Controller each : controllers) {
      each.close();
    }
    clusters.close();
    workers.values().forEach(MemoryApiServer::close);
  }

  private MemoryApiServer worker(String name) {
    return Optional.ofNullable(workers.get(name)).orElseThrow();
  }

  private void start(String... names) {
    for (String name : names) {
      MemoryApiServer server = MemoryApiServer.overTls(certificates);
      workers.put(name, server);
      identity(name, name + "-uid");
      server.objects().put("/api/v1/namespaces", "{'metadata': {'name': 'ns'}}");
      login(name, "first");
    }
  }

  private void identity(String name, String uid) {
    worker(name)
        .objects()
        .put(
            "/api/v1/namespaces",
            "{'metadata': {'name': 'kube-system', 'uid': '%s'}}".formatted(uid));
  }

  /** Stores a kubeconfig with that token, which the worker wants from now on. */
  private void login(String name, String token) {
    String kubeconfig =
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: c
          cluster:
            server: https://127.0.0.1:%d
            certificate-authority-data: %s
        users: [{name: u, user: {token: %s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(worker(name).port(), base64(certificates.caBundlePem()), token);
    worker(name).demand(token);
    clusters
        .manager
        .objects()
        .put(
            SECRETS,
            "{'metadata': {'name': '%s', 'namespace': 'home'}, 'data': {'kubeconfig': '%s'}}"
                .formatted(name, base64(kubeconfig)));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** The clusters of the configuration, each with its MultiKueueCluster. */
  private void connect(String... names) {
    for (String name : names) {
      clusters
          .manager
          .objects()
          .put(
              Clusters.MULTI_KUEUE_CLUSTERS,
              """
              {'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'MultiKueueCluster',
               'metadata': {'name': '%1$s', 'generation': 1}, 'spec': {'clusterSource':
               {'kubeConfig': {'locationType': 'Secret', 'location': '%1$s'}}}}\
              """
                  .formatted(name));
    }
    clusters
        .manager
        .objects()
        .put(
            Clusters.CONFIGS,
            "{'metadata': {'name': 'c'}, 'spec': {'clusters': ['%s']}}"
                .formatted(String.join("','", names)));
  }

  private JsonNode active(String cluster) {
    return clusters
        .cluster(cluster)
        .flatMap(it -> Conditions.find(it, "Active"))
        .orElseGet(MissingNode::getInstance);
  }

  private void awaitActive(String cluster, String message) {
    await()
        .atMost(AMPLE)
        .until(
            () ->
                Conditions.isTrue(active(cluster))
                    && active(cluster).path("message").asText().startsWith(message));
  }

  /** A Job of the manager with quota, whose check waits. */
  private void job(String name) {
    clusters
        .manager
        .objects()
        .put(
            Clusters.JOBS,
            """
            {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': '%1$s',
              'namespace': 'ns', 'uid': '%1$s-job'}, 'spec': {'suspend': true,
              'managedBy': 'kueue.x-k8s.io/multikueue', 'template': {'spec': {'containers': []}}}}\
            """
                .formatted(name));
    clusters
        .manager
        .objects()
        .put(
            Clusters.WORKLOADS,
            """
            {'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'Workload',
             'metadata': {'name': '%1$s', 'namespace': 'ns', 'generation': 1, 'ownerReferences': [
               {'apiVersion': 'batch/v1', 'kind': 'Job', 'name': '%1$s', 'uid': '%1$s-job',
                'controller': true}]},
             'spec': {'queueName': 'lq', 'active': true, 'podSets': [{'name': 'main', 'count': 1,
               'template': {'spec': {'containers': []}}}]},
             'status': {'admission': {'clusterQueue': 'cq', 'podSetAssignments': [{'name': 'main'}]},
               'admissionChecks': [{'name': 'mk', 'state': 'Pending', 'message': '',
                 'lastTransitionTime': '2026-11-24T09:00:00Z'}],
               'conditions': [{'type': 'QuotaReserved', 'status': 'True', 'reason': 'QuotaReserved',
                 'message': '', 'lastTransitionTime': '2026-11-24T09:00:00Z'}]}}\
            """
                .formatted(name));
  }

  private JsonNode workload(String name) {
    return clusters.manager.objects().find(Clusters.WORKLOADS + "/" + name).orElseThrow();
  }

  private String checkMessage(String name) {
    return workload(name).at("/status/admissionChecks/0/message").asText();
  }

  private boolean has(String worker, String path) {
    return worker(worker).objects().find(path).isPresent();
  }

  private void awaitCopy(String worker, String name) {
    await().atMost(AMPLE).until(() -> has(worker, Clusters.WORKLOADS + "/" + name));
  }

  /** What the scheduler of a worker does. */
  private void admit(String worker, String name) {
    worker(worker)
        .objects()
        .edit(
            Clusters.WORKLOADS + "/" + name,
            it -> {
              ArrayNode conditions = it.withObjectProperty("status").putArray("conditions");
              for (String type : List.of("QuotaReserved", "Admitted")) {
                ObjectNode condition = conditions.addObject();
                condition.put("type", type).put("status", "True").put("reason", type);
                condition.put("message", "").put("lastTransitionTime", "2026-11-24T09:00:00Z");
              }
            });
  }

  private void runs(String worker, String name) {
    await()
        .atMost(AMPLE)
        .until(
            () ->
                workload(name).at("/status/clusterName").asText("").equals(worker)
                    && has(worker, Clusters.JOBS + "/" + name));
  }

  @Test
  void theWorkerThatAdmitsGetsTheJobAndTheOthersAreWithdrawn() {
    start("a", "b");
    connect("a", "b");
    job("j");
    awaitCopy("a", "j");
    awaitCopy("b", "j");

    admit("b", "j");

    runs("b", "j");
    await().atMost(AMPLE).until(() -> !has("a", Clusters.WORKLOADS + "/j"));
    assertThat(has("a", Clusters.JOBS + "/j")).isFalse();
    assertThat(clusters.events.stream().map(it -> it.message()).toList())
        .contains("Nominated worker clusters: a, b", "The workload was admitted on \"b\"");
    assertThat(
            clusters
                .registry
                .get("multikueue.workloads.dispatched")
                .tag("cluster", "a")
                .tag("replica_role", "leader")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(
            clusters.registry.get("multikueue.cluster.status").tag("cluster", "a").gauge().value())
        .isEqualTo(1);
    await() // it is recorded after the event was sent
        .atMost(AMPLE)
        .until(
            () ->
                clusters.registry.find("sluice.worker.lag").tag("cluster", "b").timers().stream()
                    .anyMatch(it -> it.count() > 0));
  }

  @FullTier
  @Test
  void aWorkerThatNeverAnswersIsWaitedForByNobody() {
    start("a", "hole");
    worker("hole").answer("GET ", new Answer(0, Map.of(), ""));
    connect("hole", "a");
    job("j");

    awaitCopy("a", "j");
    admit("a", "j");

    runs("a", "j");
    assertThat(has("hole", Clusters.WORKLOADS + "/j")).isFalse();
  }

  @Test
  void aWorkerThatAsksForItIsLeftAloneAndIsNotLost() {
    start("a", "b");
    connect("a", "b");
    awaitActive("a", "Connected");
    worker("a")
        .answer("POST ", new Answer(429, Map.of("Retry-After", "3"), "{\"message\":\"too many\"}"));
    job("j");
    awaitCopy("b", "j");
    await().atMost(AMPLE).until(() -> worker("a").calls("POST").size() == 1);
    job("k");

    awaitCopy("b", "k");
    assertThat(worker("a").calls("POST")).as("in three seconds").hasSize(1);
    assertThat(Conditions.isTrue(active("a"))).isTrue();
    worker("a").mend();
    awaitCopy("a", "j");
    awaitCopy("a", "k");
  }

  @Test
  void aKindThatMayNotBeWatchedIsToldAndUsedOnceItMay() {
    start("a", "b");
    worker("a").answer("GET " + ALL_JOBS, Answer.of(403, "jobs.batch is forbidden"));
    connect("a", "b");
    awaitActive("a", "Connected; jobs.batch not watched: ");
    awaitActive("b", "Connected");
    job("j");
    awaitCopy("b", "j");
    await().atMost(AMPLE).until(() -> checkMessage("j").contains("a: does not serve Job"));
    assertThat(has("a", Clusters.WORKLOADS + "/j")).isFalse();

    worker("a").mend();

    awaitCopy("a", "j");
    await().atMost(AMPLE).until(() -> active("a").path("message").asText().equals("Connected"));
  }

  @Test
  void aNewTokenInTheSecretIsUsedBeforeTheLinkIsLost() {
    start("a");
    connect("a");
    awaitActive("a", "Connected");
    String since = active("a").path("lastTransitionTime").asText();
    int lists = worker("a").calls(LISTS).size();

    login("a", "second");
    worker("a").endWatches();
    job("j");

    awaitCopy("a", "j");
    assertThat(active("a").path("lastTransitionTime").asText()).isEqualTo(since);
    assertThat(worker("a").calls(LISTS)).as("lists").hasSize(lists);
  }

  @Test
  void aTokenThatIsRefusedLosesTheLinkWithTheWorkersWords() {
    start("a");
    connect("a");
    awaitActive("a", "Connected");

    worker("a").demand("another");
    worker("a").endWatches();

    await()
        .atMost(AMPLE)
        .until(() -> active("a").path("message").asText().contains("Unauthorized"));
    assertThat(active("a").path("reason").asText()).isEqualTo("ClientConnectionFailed");
    assertThat(active("a").toString()).doesNotContain("first");
  }

  @FullTier
  @Test
  void aWorkerThatWasRebuiltEmptyIsNotTakenForTheOldOne() {
    start("a");
    connect("a");
    job("j");
    awaitCopy("a", "j");
    admit("a", "j");
    runs("a", "j");

    worker("a").answer("GET ", Answer.of(503, "starting"));
    worker("a").endWatches();
    await().atMost(AMPLE).until(() -> !Conditions.isTrue(active("a")));
    worker("a").objects().clear();
    identity("a", "a-uid-of-the-new-one");
    worker("a").mend();

    await()
        .atMost(AMPLE)
        .until(
            () ->
                workload("j")
                    .at("/status/admissionChecks/0/message")
                    .asText()
                    .equals("Admitting remote no longer exists, Previously: \"Ready\""));
    assertThat(workload("j").at("/status/admissionChecks/0/state").asText()).isEqualTo("Retry");
    assertThat(worker("a").calls("DELETE")).isEmpty();
  }

  @Test
  void whatAManagerMadeOnAWorkerThatIsDeletedGoesBeforeItsObject() {
    start("a", "b");
    connect("a", "b");
    job("j");
    awaitCopy("a", "j");
    awaitCopy("b", "j");
    await()
        .atMost(AMPLE)
        .until(
            () ->
                clusters
                    .cluster("a")
                    .orElseThrow()
                    .at("/metadata/finalizers")
                    .toString()
                    .contains("sluice.dev/multikueue-cleanup"));

    clusters
        .manager
        .objects()
        .edit(
            Clusters.MULTI_KUEUE_CLUSTERS + "/a",
            it ->
                it.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-24T10:00:00Z"));

    await().atMost(AMPLE).until(() -> clusters.cluster("a").isEmpty());
    assertThat(has("a", Clusters.WORKLOADS + "/j")).isFalse();
    assertThat(has("b", Clusters.WORKLOADS + "/j")).isTrue();
  }
}
