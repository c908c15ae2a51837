package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sluice on a worker, whose manager is of Kueue's make: the test writes what that one writes, in
 * its orders. Nothing there has a mark of ours.
 */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(300)
class WorkerOfKueueE2E {
  private static final Duration AMPLE = Duration.ofSeconds(60);
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String WORKLOADS = Kueue.collection(WORKLOAD, HUB);
  private static final String ORIGIN = "\"kueue.x-k8s.io/multikueue-origin\":\"multikueue\"";
  private static final String PREBUILT = "\"kueue.x-k8s.io/prebuilt-workload-name\":\"%s\"";
  private static final String NOW = "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"";
  private static final int ROOM = 3;

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofControllers();
  private static final List<AutoCloseable> OPEN = new ArrayList<>();

  @BeforeAll
  static void aQueueAndAScheduler() {
    Kueue.create(api(), RESOURCE_FLAVOR, "rf", "{}").orThrow();
    String preempting =
        Kueue.clusterQueue("rf", ROOM)
            .replaceFirst("\\{", "{\"preemption\":{\"withinClusterQueue\":\"LowerPriority\"},");
    Kueue.create(api(), CLUSTER_QUEUE, "cq", preempting).orThrow();
    Kueue.create(api(), LOCAL_QUEUE, "lq", Kueue.localQueue("cq")).orThrow();
    OPEN.addAll(InProcessScheduler.of(CLUSTER, configuration()));
  }

  /** Gates of preemption count where one of the features that have them is on. */
  private static Configuration configuration() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document
        .put("namespace", "sluice-home")
        .putObject("featureGates")
        .put("ConcurrentAdmission", true);
    return ConfigurationReader.excerpt(document);
  }

  @AfterAll
  static void theSchedulerEnds() throws Exception {
    for (AutoCloseable part : OPEN.reversed()) {
      part.close();
    }
  }

  private static ApiClient api() {
    return CLUSTER.api();
  }

  private static void await(String what, BooleanSupplier condition) {
    assertThat(Poll.until(AMPLE, Duration.ofMillis(100), condition))
        .as(() -> what + ": " + api().get(WORKLOADS).body() + api().get(JOBS).body())
        .isTrue();
  }

  /** How the manager makes a job: suspended, without an owner, with the name of its Workload. */
  private static String job(String name, String metadata, int cpu) {
    return """
    {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s",%s},"spec":{"suspend":true,
    "backoffLimit":0,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c",
    "image":"i","resources":{"requests":{"cpu":"%d"}}}]}}}}\
    """
        .formatted(name, metadata, cpu);
  }

  private static String withLabel(String name) {
    return "\"labels\":{\"kueue.x-k8s.io/queue-name\":\"lq\","
        + ORIGIN
        + ","
        + PREBUILT.formatted(name)
        + "}";
  }

  private static String withAnnotation(String name) {
    return "\"labels\":{\"kueue.x-k8s.io/queue-name\":\"lq\","
        + ORIGIN
        + "},\"annotations\":{"
        + PREBUILT.formatted(name)
        + "}";
  }

  private static void createJob(String name, String metadata) {
    api().create(JOBS, job(name, metadata, 1)).orThrow();
  }

  /** How the manager makes a Workload: it has no owner, and the Pod template as it is stored. */
  private static void createWorkload(String name, int priority, String more) {
    JsonNode template =
        api()
            .create(JOBS + "?dryRun=All", job("template", withLabel("none"), 1))
            .orThrow()
            .json()
            .at("/spec/template/spec");
    api()
        .create(
            WORKLOADS,
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"%s",
            "labels":{%s}},"spec":{"queueName":"lq","priority":%d%s,"podSets":[{"name":"main",
            "count":1,"template":{"spec":%s}}]}}\
            """
                .formatted(name, ORIGIN, priority, more, template))
        .orThrow();
  }

  private static JsonNode workload(String name) {
    return api().get(WORKLOADS + "/" + name).json();
  }

  private static JsonNode job(String name) {
    return api().get(JOBS + "/" + name).json();
  }

  private static boolean isGone(String path) {
    return api().get(path).status() == 404;
  }

  private static boolean runs(String job) {
    return !job(job).at("/spec/suspend").asBoolean(true)
        && job(job).at("/status/active").asInt() == 1;
  }

  private static List<String> podsOf(String job) {
    return api()
        .get("/api/v1/namespaces/default/pods")
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> it.at("/metadata/labels/job-name").asText().equals(job))
        .map(it -> it.at("/metadata/name").asText())
        .toList();
  }

  private static String finished(String workload) {
    return workload(workload)
        .at("/status/conditions")
        .valueStream()
        .filter(it -> it.path("type").asText().equals("Finished"))
        .map(it -> it.path("reason").asText())
        .findFirst()
        .orElse("");
  }

  private static void adoptsWhicheverComesFirst() {
    createWorkload("first", 0, "");
    await("admitted", () -> ApiClient.hasCondition(workload("first"), "Admitted"));
    assertThat(workload("first").at("/metadata").has("ownerReferences")).isFalse();
    createJob("first", withLabel("first"));
    await("the job that came second runs", () -> runs("first"));

    createJob("second", withAnnotation("second"));
    createWorkload("second", 0, "");
    await("the job that came first runs", () -> runs("second"));

    for (String name : List.of("first", "second")) {
      assertThat(workload(name).at("/metadata/ownerReferences/0/uid"))
          .isEqualTo(job(name).at("/metadata/uid"));
    }
    assertThat(names(WORKLOADS)).containsExactly("first", "second");
  }

  private static List<String> names(String collection) {
    return api()
        .get(collection)
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .map(it -> it.at("/metadata/name").asText())
        .toList();
  }

  private static void leavesThePriorityToTheManagerAndStopsWhenItIsAsked() {
    api().mergePatch(WORKLOADS + "/first", "{\"spec\":{\"priority\":7}}").orThrow();
    api().mergePatch(WORKLOADS + "/second", "{\"spec\":{\"priority\":8}}").orThrow();
    api()
        .jsonPatch(
            WORKLOADS + "/first/status",
            """
            [{"op":"add","path":"/status/conditions/-","value":{"type":"DeactivationTarget",
            "status":"True","reason":"EvictedOnManagerCluster",
            "message":"Evicted on manager: preempted",%s}}]\
            """
                .formatted(NOW))
        .orThrow();

    await(
        "it is stopped",
        () ->
            !workload("first").at("/spec/active").asBoolean(true)
                && ApiClient.hasCondition(workload("first"), "Evicted")
                && !ApiClient.hasCondition(workload("first"), "QuotaReserved")
                && job("first").at("/spec/suspend").asBoolean()
                && podsOf("first").isEmpty());
    assertThat(workload("first").at("/spec/priority").asInt()).isEqualTo(7);
    assertThat(workload("second").at("/spec/priority").asInt()).isEqualTo(8);
    assertThat(runs("second")).isTrue();
  }

  private static void doesNotRunAJobThatIsNotThatOfItsWorkload() {
    createWorkload("odd", 0, "");
    api().create(JOBS, job("odd", withLabel("odd"), 2)).orThrow();

    await("it is out of sync", () -> finished("odd").equals("OutOfSync"));
    assertThat(job("odd").at("/spec/suspend").asBoolean()).isTrue();
    assertThat(podsOf("odd")).isEmpty();
    deleteJob("odd");
    deleteWorkload("odd");
  }

  private static void deleteJob(String name) {
    api()
        .send(
            "DELETE",
            JOBS + "/" + name,
            "application/json",
            "{\"propagationPolicy\":\"Background\"}")
        .orThrow();
  }

  /** The manager takes the finalizer away that the worker has given it. */
  private static void deleteWorkload(String name) {
    api().mergePatch(WORKLOADS + "/" + name, "{\"metadata\":{\"finalizers\":null}}");
    api().delete(WORKLOADS + "/" + name);
    await(name + " is gone", () -> isGone(WORKLOADS + "/" + name));
  }

  private static void leavesNothingInWhicheverOrderTheyAreDeleted() {
    deleteJob("first");
    await("the job is gone", () -> isGone(JOBS + "/first"));
    deleteWorkload("first");

    api().delete(WORKLOADS + "/second").orThrow();
    deleteJob("second");
    await(
        "both are gone",
        () ->
            isGone(WORKLOADS + "/second")
                && isGone(JOBS + "/second")
                && podsOf("second").isEmpty());
    assertThat(names(WORKLOADS)).isEmpty();
  }

  private static void honoursAGateThatItDoesNotKnow() {
    for (int i = 0; i < ROOM; i++) {
      createWorkload("low-" + i, 0, "");
      createJob("low-" + i, withLabel("low-" + i));
    }
    await("all run", () -> runs("low-0") && runs("low-1") && runs("low-2"));
    createWorkload("high", 100, ",\"preemptionGates\":[{\"name\":\"example.com/unknown\"}]");
    createJob("high", withLabel("high"));

    await(
        "it is blocked",
        () -> ApiClient.hasCondition(workload("high"), "BlockedOnPreemptionGates"));
    assertThat(runs("low-0") && runs("low-1") && runs("low-2")).isTrue();
    assertThat(workload("high").at("/spec/preemptionGates/0/name").asText())
        .isEqualTo("example.com/unknown");

    deleteJob("low-1");
    await( // the garbage collector may be the first to see that its owner is gone
        "it ends with its job",
        () -> finished("low-1").equals("OwnerNotFound") || isGone(WORKLOADS + "/low-1"));
    await("there is room without a preemption", () -> runs("high"));
    assertThat(runs("low-0") && runs("low-2")).isTrue();
  }

  @Test
  void itDoesWhatAManagerOfKueuesMakeReliesOn() {
    adoptsWhicheverComesFirst();
    leavesThePriorityToTheManagerAndStopsWhenItIsAsked();
    doesNotRunAJobThatIsNotThatOfItsWorkload();
    leavesNothingInWhicheverOrderTheyAreDeleted();
    honoursAGateThatItDoesNotKnow();
  }
}
