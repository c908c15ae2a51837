package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.PROVISIONING_REQUEST_CONFIG;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.TOPOLOGY;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.Nodes;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.yaml.YamlReader;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that wait for an autoscaler, which is late, fails, and takes back what it gave. */
@FullTier
@NeedsControlPlane
@Timeout(3600)
class ProvisioningE2E {
  private static final int JOBS = Tier.number("sluice.provisioning.jobs", 24, 40);
  private static final List<String> KINDS =
      List.of("quick", "late", "fails", "never", "expires", "revoked");
  private static final List<String> LOST = List.of("never", "revoked");
  private static final int QUOTA = 40;
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final String CONSUME = "autoscaling.x-k8s.io/consume-provisioning-request";

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, "");

  @BeforeAll
  static void queuesAndAScheduler() throws IOException {
    create(RESOURCE_FLAVOR, "plain", "{}");
    create(
        PROVISIONING_REQUEST_CONFIG,
        "growing",
        """
        {"provisioningClassName":"example.com","parameters":{"a":"1"},"managedResources":["cpu"],
        "retryStrategy":{"backoffLimitCount":2,"backoffBaseSeconds":1,"backoffMaxSeconds":2},
        "podSetUpdates":{"nodeSelector":[{"key":"%s",
        "valueFromProvisioningClassDetail":"Pool"}]}}\
        """
            .formatted(Autoscaler.POOL));
    SCHEDULER.start();
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SCHEDULER.end();
  }

  @BeforeEach
  void requestsAreServed() {
    Autoscaler.install(api());
  }

  private static ApiClient api() {
    return CLUSTER.api();
  }

  private static void create(ApiKind kind, String name, String spec) {
    Kueue.create(api(), kind, name, spec).orThrow();
  }

  private static void check(String name, String config) {
    create(
        ADMISSION_CHECK,
        name,
        """
        {"controllerName":"kueue.x-k8s.io/provisioning-request","parameters":{
        "apiGroup":"kueue.x-k8s.io","kind":"ProvisioningRequestConfig","name":"%s"}}\
        """
            .formatted(config));
  }

  /** A namespace with a queue of its own; the check may be empty. */
  private static void queue(String name, String flavor, String check) {
    api()
        .create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name))
        .orThrow();
    String checks =
        check.isEmpty()
            ? ""
            : ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"%s\"}]}"
                .formatted(check);
    String spec = Kueue.clusterQueue(flavor, QUOTA);
    create(CLUSTER_QUEUE, name, spec.substring(0, spec.length() - 1) + checks + "}");
    Kueue.create(api(), LOCAL_QUEUE, name, "lq", Kueue.localQueue(name)).orThrow();
  }

  private static void job(String namespace, String name, String annotations) {
    api()
        .create(
            jobs(namespace),
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{
            "kueue.x-k8s.io/queue-name":"lq"},"annotations":{"provreq.kueue.x-k8s.io/b":"2"}},
            "spec":{"suspend":true,"template":{"metadata":{"annotations":{%s}},"spec":{
            "restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{
            "requests":{"cpu":"1"}}}]}}}}\
            """
                .formatted(name, annotations))
        .orThrow();
  }

  private static String jobs(String namespace) {
    return "/apis/batch/v1/namespaces/" + namespace + "/jobs";
  }

  private static Stream<JsonNode> items(String collection) {
    return api().get(collection).orThrow().json().path("items").valueStream();
  }

  private static Stream<JsonNode> workloads(String namespace) {
    return items(Kueue.collection(WORKLOAD, HUB, namespace));
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  private static boolean isComplete(String namespace, String job) {
    return ApiClient.hasCondition(
        api().get(jobs(namespace) + "/" + job).orThrow().json(), "Complete");
  }

  private static JsonNode active(ApiKind kind, String name) {
    return api()
        .get(Kueue.path(kind, HUB, name))
        .orThrow()
        .json()
        .at("/status/conditions")
        .valueStream()
        .filter(it -> it.path("type").asText().equals("Active"))
        .findFirst()
        .orElseGet(MissingNode::getInstance);
  }

  private static boolean isActive(ApiKind kind, String name) {
    return active(kind, name).path("status").asText().equals("True");
  }

  private static String reserved(String queue) {
    JsonNode object = api().get(Kueue.path(CLUSTER_QUEUE, HUB, queue)).orThrow().json();
    return object.at("/status/flavorsReservation/0/resources/0/total").asText();
  }

  private static boolean isLost(JsonNode workload) {
    return LOST.stream().anyMatch(it -> name(workload).startsWith("job-" + it + "-"));
  }

  /** A good one has ended; a bad one was taken out, and holds nothing. */
  private static boolean isOver(JsonNode workload) {
    return isLost(workload)
        ? !workload.at("/spec/active").asBoolean(true)
            && !ApiClient.hasCondition(workload, "QuotaReserved")
        : ApiClient.hasCondition(workload, "Finished");
  }

  @Test
  void nothingIsReservedOrLeftOnceTheAutoscalerHasAnsweredAll()
      throws IOException, InterruptedException {
    check("grow", "growing");
    queue("load", "plain", "grow");
    for (int i = 0; i < 4; i++) {
      Nodes.create(api(), "grown-" + i, QUOTA, Map.of(Autoscaler.POOL, "grown")).orThrow();
      Nodes.create(api(), "other-" + i, QUOTA, Map.of()).orThrow();
    }
    try (Autoscaler autoscaler = new Autoscaler(api(), "load").start()) {
      for (int i = 0; i < JOBS; i++) {
        String kind = KINDS.get(i % KINDS.size());
        job(
            "load",
            kind + "-" + i,
            kind.equals("revoked") ? "\"simulated/run-forever\":\"yes\"" : "");
      }
      awaitLoad(
          "some are done",
          () -> workloads("load").filter(ProvisioningE2E::isOver).count() > JOBS / 4,
          autoscaler);
      SCHEDULER.kill();
      SCHEDULER.start();
      awaitLoad(
          "all are over",
          () -> workloads("load").filter(ProvisioningE2E::isOver).count() == JOBS,
          autoscaler);
      SCHEDULER.await("nothing is asked for", () -> autoscaler.requests().isEmpty());
      SCHEDULER.await("nothing is left", () -> autoscaler.templates().isEmpty());
      SCHEDULER.await("nothing is reserved", () -> reserved("load").equals("0"));

      assertThat(autoscaler.breaches()).isEmpty();
      assertThat(autoscaler.mostAttempts("quick")).isOne();
      assertThat(autoscaler.mostAttempts("fails")).isEqualTo(2);
      assertThat(autoscaler.mostAttempts("expires")).isEqualTo(2);
      assertThat(autoscaler.mostAttempts("never")).isEqualTo(3);
    }
    assertThat(items("/api/v1/namespaces/load/pods"))
        .isNotEmpty()
        .allSatisfy(
            pod -> {
              assertThat(pod.at("/spec/nodeSelector").path(Autoscaler.POOL).asText())
                  .isEqualTo("grown");
              assertThat(pod.at("/metadata/annotations").path(CONSUME).asText())
                  .matches("job-.*-grow-[12]");
              assertThat(pod.at("/spec/nodeName").asText()).startsWith("grown-");
            });
    assertThat(workloads("load").filter(ProvisioningE2E::isLost))
        .allSatisfy(it -> assertThat(evicted(it)).isEqualTo("DeactivatedDueToAdmissionCheck"));
  }

  /** All of them are read each time, so not too often. */
  private static void awaitLoad(String what, BooleanSupplier condition, Autoscaler autoscaler) {
    SCHEDULER.await(
        Duration.ofSeconds(180 + 5L * JOBS),
        Duration.ofSeconds(1),
        what,
        condition,
        () ->
            workloads("load").filter(it -> !isOver(it)).map(JsonNode::toString).limit(5).toList()
                + "\n"
                + autoscaler.brief());
  }

  private static String evicted(JsonNode workload) {
    return workload
        .at("/status/conditions")
        .valueStream()
        .filter(it -> it.path("type").asText().equals("Evicted"))
        .map(it -> it.path("reason").asText())
        .findFirst()
        .orElse("");
  }

  @Test
  void aCheckWorksFromWhenToWhenItsRequestsAreServedAndHurtsNoOtherQueue() {
    api().delete(Autoscaler.CRDS + "/" + Autoscaler.CRD);
    SCHEDULER.await(
        "requests are not served",
        () -> api().get(Autoscaler.CRDS + "/" + Autoscaler.CRD).status() == 404);
    check("served", "growing");
    queue("served", "plain", "served");
    queue("unchecked", "plain", "");
    Nodes.create(api(), "grown-for-served", QUOTA, Map.of(Autoscaler.POOL, "grown")).orThrow();

    job("served", "quick", "");
    job("unchecked", "first", "");
    SCHEDULER.await(
        "the check says why it does not work",
        () ->
            active(ADMISSION_CHECK, "served")
                .path("message")
                .asText()
                .startsWith(
                    "The API server does not serve ProvisioningRequest of"
                        + " autoscaling.x-k8s.io/v1"));
    SCHEDULER.await(
        "its queue is not active",
        () ->
            active(CLUSTER_QUEUE, "served")
                .path("reason")
                .asText()
                .equals("AdmissionCheckInactive"));
    SCHEDULER.await("other queues work", () -> isComplete("unchecked", "first"));

    Autoscaler.install(api());
    SCHEDULER.await("the check works", () -> isActive(ADMISSION_CHECK, "served"));
    try (Autoscaler _ = new Autoscaler(api(), "served").start()) {
      SCHEDULER.await("its queue works", () -> isComplete("served", "quick"));
    }
    api().delete(Autoscaler.CRDS + "/" + Autoscaler.CRD).orThrow();
    SCHEDULER.await("the check works no more", () -> !isActive(ADMISSION_CHECK, "served"));
    job("unchecked", "second", "");
    SCHEDULER.await("other queues go on", () -> isComplete("unchecked", "second"));
  }

  @Test
  void theSampleWorksAsItStands() throws IOException {
    Nodes.create(api(), "of-the-sample", QUOTA, Map.of()).orThrow();
    Path sample = Path.of("../../manifests/samples/provisioning.yaml");
    for (JsonNode object : new YamlReader().readAll(sample.toString(), Files.readString(sample))) {
      String collection =
          ApiKind.find(object.path("kind").asText())
              .map(kind -> Kueue.collection(kind, HUB))
              .orElse(jobs("default"));
      api().create(collection, object.toString()).orThrow();
    }

    try (Autoscaler autoscaler = new Autoscaler(api(), "default").start()) {
      SCHEDULER.await("it is complete", () -> isComplete("default", "quick-start"));
      SCHEDULER.await("nothing is asked for", () -> autoscaler.requests().isEmpty());
      assertThat(autoscaler.breaches()).isEmpty();
    }
  }

  @Test
  void podsArePlacedByTopologyOnTheNodesThatCameForThem() {
    create(TOPOLOGY, "hosts", "{\"levels\":[{\"nodeLabel\":\"%s\"}]}".formatted(HOSTNAME));
    create(
        RESOURCE_FLAVOR,
        "placed",
        "{\"nodeLabels\":{\"%s\":\"grown\"},\"topologyName\":\"hosts\"}"
            .formatted("example.com/placed"));
    check("place", "growing");
    queue("placing", "placed", "place");
    job("placing", "quick", "\"kueue.x-k8s.io/podset-required-topology\":\"" + HOSTNAME + "\"");
    SCHEDULER.await(
        "it has quota and no place",
        () ->
            workloads("placing")
                .anyMatch(
                    it ->
                        it.at("/status/admission/podSetAssignments/0/delayedTopologyRequest")
                            .asText()
                            .equals("Pending")));

    Nodes.create(
            api(), "fresh", QUOTA, Map.of(Autoscaler.POOL, "grown", "example.com/placed", "grown"))
        .orThrow();
    try (Autoscaler autoscaler = new Autoscaler(api(), "placing").start()) {
      SCHEDULER.await(
          "it runs on the node that came",
          () -> isComplete("placing", "quick"),
          () -> workloads("placing").map(JsonNode::toString).toList().toString());
      SCHEDULER.await("nothing is asked for", () -> autoscaler.requests().isEmpty());
    }

    assertThat(items("/api/v1/namespaces/placing/pods"))
        .isNotEmpty()
        .allSatisfy(pod -> assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("fresh"));
  }
}
