package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.MULTI_KUEUE_CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.cli.kinds.Resources;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs of a manager that run on two workers, each a real API server with its controllers. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(900)
class MultiKueueE2E {
  private static final String QUEUE = "shared";

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  @BeforeAll
  static void schedulers() {
    FLEET.serve(Resources.text("kinds/jobset.yaml"), "jobsets.jobset.x-k8s.io");
    FLEET.start(configuration());
    FLEET.openQueue(QUEUE);
  }

  private static Configuration configuration() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("namespace", Fleet.HOME).putObject("multiKueue").put("workerLostTimeout", "5s");
    document
        .putObject("integrations")
        .putArray("frameworks")
        .add("batch/job")
        .add("jobset.x-k8s.io/jobset");
    return ConfigurationReader.excerpt(document);
  }

  private static JsonNode workload(String job) {
    return FLEET.workload(job).orElseThrow();
  }

  private static JsonNode condition(JsonNode workload, String type) {
    for (JsonNode condition : workload.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    throw new AssertionError("no condition " + type + ": " + workload.path("status"));
  }

  @Test
  void aJobRunsOnOneWorkerEndsHereAsThereAndLeavesNothing() {
    FLEET.createJob("once", QUEUE);

    String winner = FLEET.runs("once");
    FLEET.leavesNothingOn(Fleet.other(winner), "once");
    JsonNode there = FLEET.api(winner).get(Fleet.job("once")).orThrow().json();
    assertThat(there.at("/metadata/labels/kueue.x-k8s.io~1multikueue-origin").asText())
        .isEqualTo("multikueue");
    assertThat(there.at("/metadata/annotations/kueue.x-k8s.io~1prebuilt-workload-name").asText())
        .isEqualTo(workload("once").at("/metadata/name").asText());
    assertThat(there.at("/spec").has("managedBy")).isFalse();
    assertThat(there.at("/spec").has("ttlSecondsAfterFinished")).isFalse();
    assertThat(there.at("/metadata").has("ownerReferences")).isFalse();
    assertThat(workload("once").at("/status/admissionChecks/0/message").asText())
        .isEqualTo("The workload was admitted on \"" + winner + "\"");

    FLEET.succeed(winner, "once");
    FLEET.finishes("once");
    assertThat(condition(workload("once"), "Finished").path("reason").asText())
        .isEqualTo("Succeeded");
    assertThat(condition(workload("once"), "Finished").path("message").asText())
        .isEqualTo("Reached expected number of succeeded pods");
    JsonNode here = FLEET.api().get(Fleet.job("once")).orThrow().json();
    assertThat(ApiClient.hasCondition(here, "Complete")).isTrue();
    assertThat(here.at("/status/succeeded").asInt()).isEqualTo(1);
    FLEET.leavesNothingElsewhere("once");
  }

  @Test
  void anEvictionOnTheWorkerSendsTheJobToTheOther() {
    FLEET.createJob("moved", QUEUE);
    String first = FLEET.runs("moved");

    FLEET.stopPolicy(first, QUEUE, "HoldAndDrain");
    try {
      FLEET.await("it moves", () -> FLEET.chosen("moved").equals(Fleet.other(first)));
      FLEET.runs("moved");
      FLEET.leavesNothingOn(first, "moved");
    } finally {
      FLEET.stopPolicy(first, QUEUE, "None");
    }
    FLEET.succeed(Fleet.other(first), "moved");
    FLEET.finishes("moved");
    FLEET.leavesNothingElsewhere("moved");
  }

  @Test
  void aDeactivationHereStopsTheJobThereBeforeItsQuotaIsFree() {
    FLEET.createJob("stopped", QUEUE);
    String first = FLEET.runs("stopped");

    active("stopped", false);
    FLEET.await(
        "the quota is free", () -> !ApiClient.hasCondition(workload("stopped"), "QuotaReserved"));
    for (JsonNode pod : FLEET.items(first, Fleet.pods())) {
      assertThat(pod.at("/metadata/labels/job-name").asText()).isNotEqualTo("stopped");
    }
    assertThat(workload("stopped").at("/status").has("clusterName")).isFalse();
    FLEET.leavesNothingElsewhere("stopped");

    active("stopped", true);
    String second = FLEET.runs("stopped");
    FLEET.succeed(second, "stopped");
    FLEET.finishes("stopped");
    FLEET.leavesNothingElsewhere("stopped");
  }

  private static void active(String job, boolean value) {
    FLEET
        .api()
        .mergePatch(
            Fleet.workloads() + "/" + workload(job).at("/metadata/name").asText(),
            "{\"spec\":{\"active\":%s}}".formatted(value))
        .orThrow();
  }

  @Test
  void aWorkerThatIsLostIsReplacedAndTidiedWhenItIsBack() {
    FLEET.createJob("lost", QUEUE);
    String first = FLEET.runs("lost");
    String second = Fleet.other(first);

    FLEET.cluster(first).controlPlane().stopApiServer();
    try {
      FLEET.await("it moves", () -> FLEET.chosen("lost").equals(second));
      FLEET.runs("lost");
    } finally {
      FLEET.cluster(first).controlPlane().restartApiServer();
    }
    FLEET.leavesNothingOn(first, "lost");
    assertThat(FLEET.chosen("lost")).isEqualTo(second);
    FLEET.succeed(second, "lost");
    FLEET.finishes("lost");
    FLEET.leavesNothingElsewhere("lost");
  }

  @Test
  void aClusterThatLeavesTheConfigurationLosesItsJobsToOthers() {
    FLEET.createJob("drained", QUEUE);
    String first = FLEET.runs("drained");
    String second = Fleet.other(first);

    clusters("\"" + second + "\"");
    try {
      FLEET.await("it moves", () -> FLEET.chosen("drained").equals(second));
      FLEET.runs("drained");
      FLEET.leavesNothingOn(first, "drained");
    } finally {
      clusters("\"a\",\"b\"");
    }
    FLEET.succeed(second, "drained");
    FLEET.finishes("drained");
    FLEET.leavesNothingElsewhere("drained");
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
  void aQueueThatComesToTheWorkerAfterTheCopyRunsIt() {
    FLEET.managerQueue("late");
    FLEET.createJob("early", "late");
    FLEET.await(
        "copies wait on both",
        () -> FLEET.left("a", "early").size() == 1 && FLEET.left("b", "early").size() == 1);

    FLEET.workerQueue("b", "late");

    assertThat(FLEET.runs("early")).isEqualTo("b");
    FLEET.leavesNothingOn("a", "early");
    FLEET.succeed("b", "early");
    FLEET.finishes("early");
    FLEET.leavesNothingElsewhere("early");
  }

  @Test
  void aJobThatIsDeletedHereLeavesNothingAnywhere() {
    FLEET.createJob("deleted", QUEUE);
    FLEET.runs("deleted");

    FLEET.api().delete(Fleet.job("deleted")).orThrow();

    FLEET.leavesNothingElsewhere("deleted");
    FLEET.await("the workload is gone", () -> FLEET.workload("deleted").isEmpty());
  }

  @Test
  void whatAJobLeftOnAWorkerThatWasAwayIsSweptWhenItIsBack() {
    FLEET.createJob("swept", QUEUE);
    String worker = FLEET.runs("swept");

    FLEET.cluster(worker).controlPlane().stopApiServer();
    try {
      FLEET.api().delete(Fleet.job("swept")).orThrow();
      FLEET.await("the workload is gone", () -> FLEET.workload("swept").isEmpty());
    } finally {
      FLEET.cluster(worker).controlPlane().restartApiServer();
    }

    FLEET.leavesNothingElsewhere("swept");
  }

  @Test
  void aWorkloadThatIsDeletedHereGoesAfterItsJobThereAndIsMadeAnew() {
    FLEET.createJob("anew", QUEUE);
    String first = FLEET.runs("anew");
    String uid = uidOn(first, "anew");
    JsonNode deleted = workload("anew");

    FLEET.api().delete(Fleet.workloads() + "/" + deleted.at("/metadata/name").asText()).orThrow();

    FLEET.await(
        "another workload is there",
        () ->
            FLEET
                .workload("anew")
                .filter(it -> !it.at("/metadata/uid").equals(deleted.at("/metadata/uid")))
                .isPresent());
    String second = FLEET.runs("anew");
    assertThat(uidOn(second, "anew")).isNotEqualTo(uid);
    FLEET.succeed(second, "anew");
    FLEET.finishes("anew");
    FLEET.leavesNothingElsewhere("anew");
  }

  @Test
  void aJobOfSomebodyElseOfThatNameIsLeftAlone() {
    String body =
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"taken"},"spec":{"suspend":true,
        "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}\
        """;
    FLEET.api("a").create(Fleet.jobs(), body).orThrow();
    String uid = uidOn("a", "taken");

    FLEET.createJob("taken", QUEUE);

    assertThat(FLEET.runs("taken")).isEqualTo("b");
    FLEET.succeed("b", "taken");
    FLEET.finishes("taken");
    FLEET.leavesNothingOn("b", "taken");
    assertThat(uidOn("a", "taken")).isEqualTo(uid);
    FLEET.api("a").delete(Fleet.job("taken")).orThrow();
  }

  private static String jobSet(String name) {
    return Fleet.jobSets() + "/" + name;
  }

  private static String replicatedJobs(int replicas) {
    return """
    "replicatedJobs":[{"name":"main","replicas":%d,"template":{
    "spec":{"parallelism":1,"template":{"spec":{"restartPolicy":"Never","containers":[{
    "name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}}]\
    """
        .formatted(replicas);
  }

  /** Creates a JobSet of one Job, and waits until a worker starts it; returns that worker. */
  private static String runJobSet(String name) {
    FLEET
        .api()
        .create(
            Fleet.jobSets(),
            """
            {"apiVersion":"jobset.x-k8s.io/v1alpha2","kind":"JobSet","metadata":{"name":"%s",
            "labels":{"kueue.x-k8s.io/queue-name":"%s"}},"spec":{"suspend":true,
            "managedBy":"kueue.x-k8s.io/multikueue",%s}}\
            """
                .formatted(name, QUEUE, replicatedJobs(1)))
        .orThrow();
    return startedJobSet(name, 1);
  }

  private static String startedJobSet(String name, int replicas) {
    FLEET.await(
        "the JobSet is started with " + replicas,
        () -> {
          String worker = FLEET.chosen(name);
          JsonNode spec =
              worker.isEmpty()
                  ? MissingNode.getInstance()
                  : FLEET.api(worker).get(jobSet(name)).json().path("spec");
          return spec.path("suspend").isBoolean()
              && !spec.path("suspend").asBoolean()
              && spec.at("/replicatedJobs/0/replicas").asInt() == replicas;
        });
    return FLEET.chosen(name);
  }

  /** As its controller writes it. */
  private static void jobSetStatus(String worker, String name, String status) {
    FLEET
        .api(worker)
        .mergePatch(jobSet(name) + "/status", "{\"status\":%s}".formatted(status))
        .orThrow();
  }

  @Test
  void aJobSetThatIsChangedWhileItRunsThereStopsAndRunsWithItsNewSize() {
    String first = runJobSet("wider");
    jobSetStatus(
        first,
        "wider",
        """
        {"replicatedJobsStatus":[{"name":"main","active":1,"failed":0,"ready":0,"succeeded":0,
        "suspended":0}]}\
        """);
    FLEET.await(
        "its status is known here",
        () ->
            FLEET.api().get(jobSet("wider")).json().at("/status/replicatedJobsStatus").size() == 1);
    JsonNode before = workload("wider");

    FLEET
        .api()
        .mergePatch(jobSet("wider"), "{\"spec\":{%s}}".formatted(replicatedJobs(2)))
        .orThrow();

    String second = startedJobSet("wider", 2);
    assertThat(workload("wider").at("/metadata/uid")).isNotEqualTo(before.at("/metadata/uid"));
    FLEET.hasNothing(Fleet.other(second), "wider", Fleet.jobSets());
    FLEET.api().delete(jobSet("wider")).orThrow();
    FLEET.leavesNothingElsewhere("wider", Fleet.jobSets());
  }

  @Test
  void aJobSetIsFollowedToItsEndThoughNobodyHereRunsIt() {
    String winner = runJobSet("set");
    jobSetStatus(
        winner,
        "set",
        """
        {"restarts":2,"conditions":[{"type":"Completed","status":"True",
        "reason":"AllJobsCompleted","message":"all is done",
        "lastTransitionTime":"2026-01-01T00:00:00Z"}]}\
        """);

    FLEET.finishes("set");
    assertThat(condition(workload("set"), "Finished").path("message").asText())
        .isEqualTo("all is done");
    assertThat(FLEET.api().get(jobSet("set")).orThrow().json().at("/status/restarts").asInt())
        .isEqualTo(2);
    FLEET.leavesNothingElsewhere("set");
    FLEET.await("the JobSet is gone", () -> FLEET.items(winner, Fleet.jobSets()).isEmpty());
  }

  private static String uidOn(String worker, String job) {
    return FLEET.api(worker).get(Fleet.job(job)).orThrow().json().at("/metadata/uid").asText();
  }
}
