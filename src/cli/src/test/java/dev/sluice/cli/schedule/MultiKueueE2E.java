package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.MULTI_KUEUE_CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.cli.kinds.Resources;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs of a manager that run on two workers, each a real API server with its controllers. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(900)
class MultiKueueE2E {
  private static final String HOME = "sluice-home";
  private static final String QUEUE = "shared";

  @RegisterExtension private static final OwnCluster MANAGER = OwnCluster.ofControllers();
  @RegisterExtension private static final OwnCluster A = OwnCluster.ofControllers();
  @RegisterExtension private static final OwnCluster B = OwnCluster.ofControllers();

  private static final List<AutoCloseable> OPEN = new ArrayList<>();
  private static Fleet fleet;

  @BeforeAll
  static void schedulers() {
    fleet = new Fleet(HOME, MANAGER, A, B);
    fleet.connect();
    fleet.serve(Resources.text("kinds/jobset.yaml"), "jobsets.jobset.x-k8s.io");
    OPEN.addAll(fleet.start(configuration()));
    fleet.openQueue(QUEUE);
  }

  private static Configuration configuration() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("namespace", HOME).putObject("multiKueue").put("workerLostTimeout", "5s");
    document
        .putObject("integrations")
        .putArray("frameworks")
        .add("batch/job")
        .add("jobset.x-k8s.io/jobset");
    return ConfigurationReader.excerpt(document);
  }

  @AfterAll
  static void theSchedulersEnd() throws Exception {
    for (AutoCloseable open : OPEN.reversed()) {
      open.close();
    }
  }

  private static JsonNode workload(String job) {
    return fleet.workload(job).orElseThrow();
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
    fleet.createJob("once", QUEUE);

    String winner = fleet.runs("once");
    fleet.leavesNothingOn(Fleet.other(winner), "once");
    JsonNode there = fleet.api(winner).get(Fleet.job("once")).orThrow().json();
    assertThat(there.at("/metadata/labels/kueue.x-k8s.io~1multikueue-origin").asText())
        .isEqualTo("multikueue");
    assertThat(there.at("/metadata/annotations/kueue.x-k8s.io~1prebuilt-workload-name").asText())
        .isEqualTo(workload("once").at("/metadata/name").asText());
    assertThat(there.at("/spec").has("managedBy")).isFalse();
    assertThat(there.at("/spec").has("ttlSecondsAfterFinished")).isFalse();
    assertThat(there.at("/metadata").has("ownerReferences")).isFalse();
    assertThat(workload("once").at("/status/admissionChecks/0/message").asText())
        .isEqualTo("The workload was admitted on \"" + winner + "\"");

    fleet.succeed(winner, "once");
    fleet.finishes("once");
    assertThat(condition(workload("once"), "Finished").path("reason").asText())
        .isEqualTo("Succeeded");
    assertThat(condition(workload("once"), "Finished").path("message").asText())
        .isEqualTo("Reached expected number of succeeded pods");
    JsonNode here = fleet.api().get(Fleet.job("once")).orThrow().json();
    assertThat(ApiClient.hasCondition(here, "Complete")).isTrue();
    assertThat(here.at("/status/succeeded").asInt()).isEqualTo(1);
    fleet.leavesNothingElsewhere("once");
  }

  @Test
  void anEvictionOnTheWorkerSendsTheJobToTheOther() {
    fleet.createJob("moved", QUEUE);
    String first = fleet.runs("moved");

    fleet.stopPolicy(first, QUEUE, "HoldAndDrain");
    try {
      fleet.await("it moves", () -> fleet.chosen("moved").equals(Fleet.other(first)));
      fleet.runs("moved");
      fleet.leavesNothingOn(first, "moved");
    } finally {
      fleet.stopPolicy(first, QUEUE, "None");
    }
    fleet.succeed(Fleet.other(first), "moved");
    fleet.finishes("moved");
    fleet.leavesNothingElsewhere("moved");
  }

  @Test
  void aDeactivationHereStopsTheJobThereBeforeItsQuotaIsFree() {
    fleet.createJob("stopped", QUEUE);
    String first = fleet.runs("stopped");

    active("stopped", false);
    fleet.await(
        "the quota is free", () -> !ApiClient.hasCondition(workload("stopped"), "QuotaReserved"));
    for (JsonNode pod : fleet.items(first, Fleet.pods())) {
      assertThat(pod.at("/metadata/labels/job-name").asText()).isNotEqualTo("stopped");
    }
    assertThat(workload("stopped").at("/status").has("clusterName")).isFalse();
    fleet.leavesNothingElsewhere("stopped");

    active("stopped", true);
    String second = fleet.runs("stopped");
    fleet.succeed(second, "stopped");
    fleet.finishes("stopped");
    fleet.leavesNothingElsewhere("stopped");
  }

  private static void active(String job, boolean value) {
    fleet
        .api()
        .mergePatch(
            Fleet.workloads() + "/" + workload(job).at("/metadata/name").asText(),
            "{\"spec\":{\"active\":%s}}".formatted(value))
        .orThrow();
  }

  @Test
  void aWorkerThatIsLostIsReplacedAndTidiedWhenItIsBack() {
    fleet.createJob("lost", QUEUE);
    String first = fleet.runs("lost");
    String second = Fleet.other(first);

    fleet.cluster(first).controlPlane().stopApiServer();
    try {
      fleet.await("it moves", () -> fleet.chosen("lost").equals(second));
      fleet.runs("lost");
    } finally {
      fleet.cluster(first).controlPlane().restartApiServer();
    }
    fleet.leavesNothingOn(first, "lost");
    assertThat(fleet.chosen("lost")).isEqualTo(second);
    fleet.succeed(second, "lost");
    fleet.finishes("lost");
    fleet.leavesNothingElsewhere("lost");
  }

  @Test
  void aClusterThatLeavesTheConfigurationLosesItsJobsToOthers() {
    fleet.createJob("drained", QUEUE);
    String first = fleet.runs("drained");
    String second = Fleet.other(first);

    clusters("\"" + second + "\"");
    try {
      fleet.await("it moves", () -> fleet.chosen("drained").equals(second));
      fleet.runs("drained");
      fleet.leavesNothingOn(first, "drained");
    } finally {
      clusters("\"a\",\"b\"");
    }
    fleet.succeed(second, "drained");
    fleet.finishes("drained");
    fleet.leavesNothingElsewhere("drained");
  }

  private static void clusters(String names) {
    fleet
        .api()
        .mergePatch(
            Kueue.path(MULTI_KUEUE_CONFIG, ApiVersion.HUB, "config"),
            "{\"spec\":{\"clusters\":[%s]}}".formatted(names))
        .orThrow();
  }

  @Test
  void aQueueThatComesToTheWorkerAfterTheCopyRunsIt() {
    fleet.managerQueue("late");
    fleet.createJob("early", "late");
    fleet.await(
        "copies wait on both",
        () -> fleet.left("a", "early").size() == 1 && fleet.left("b", "early").size() == 1);

    fleet.workerQueue("b", "late");

    assertThat(fleet.runs("early")).isEqualTo("b");
    fleet.leavesNothingOn("a", "early");
    fleet.succeed("b", "early");
    fleet.finishes("early");
    fleet.leavesNothingElsewhere("early");
  }

  @Test
  void aJobThatIsDeletedHereLeavesNothingAnywhere() {
    fleet.createJob("deleted", QUEUE);
    fleet.runs("deleted");

    fleet.api().delete(Fleet.job("deleted")).orThrow();

    fleet.leavesNothingElsewhere("deleted");
    fleet.await("the workload is gone", () -> fleet.workload("deleted").isEmpty());
  }

  @Test
  void whatAJobLeftOnAWorkerThatWasAwayIsSweptWhenItIsBack() {
    fleet.createJob("swept", QUEUE);
    String worker = fleet.runs("swept");

    fleet.cluster(worker).controlPlane().stopApiServer();
    try {
      fleet.api().delete(Fleet.job("swept")).orThrow();
      fleet.await("the workload is gone", () -> fleet.workload("swept").isEmpty());
    } finally {
      fleet.cluster(worker).controlPlane().restartApiServer();
    }

    fleet.leavesNothingElsewhere("swept");
  }

  @Test
  void aWorkloadThatIsDeletedHereGoesAfterItsJobThereAndIsMadeAnew() {
    fleet.createJob("anew", QUEUE);
    String first = fleet.runs("anew");
    String uid = uidOn(first, "anew");
    JsonNode deleted = workload("anew");

    fleet.api().delete(Fleet.workloads() + "/" + deleted.at("/metadata/name").asText()).orThrow();

    fleet.await(
        "another workload is there",
        () ->
            fleet
                .workload("anew")
                .filter(it -> !it.at("/metadata/uid").equals(deleted.at("/metadata/uid")))
                .isPresent());
    String second = fleet.runs("anew");
    assertThat(uidOn(second, "anew")).isNotEqualTo(uid);
    fleet.succeed(second, "anew");
    fleet.finishes("anew");
    fleet.leavesNothingElsewhere("anew");
  }

  @Test
  void aJobOfSomebodyElseOfThatNameIsLeftAlone() {
    String body =
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"taken"},"spec":{"suspend":true,
        "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}\
        """;
    fleet.api("a").create(Fleet.jobs(), body).orThrow();
    String uid = uidOn("a", "taken");

    fleet.createJob("taken", QUEUE);

    assertThat(fleet.runs("taken")).isEqualTo("b");
    fleet.succeed("b", "taken");
    fleet.finishes("taken");
    fleet.leavesNothingOn("b", "taken");
    assertThat(uidOn("a", "taken")).isEqualTo(uid);
    fleet.api("a").delete(Fleet.job("taken")).orThrow();
  }

  @Test
  void aJobSetIsFollowedToItsEndThoughNobodyHereRunsIt() {
    fleet
        .api()
        .create(
            Fleet.jobSets(),
            """
            {"apiVersion":"jobset.x-k8s.io/v1alpha2","kind":"JobSet","metadata":{"name":"set",
            "labels":{"kueue.x-k8s.io/queue-name":"%s"}},"spec":{"suspend":true,
            "managedBy":"kueue.x-k8s.io/multikueue","replicatedJobs":[{"name":"main","template":{
            "spec":{"parallelism":1,"template":{"spec":{"restartPolicy":"Never","containers":[{
            "name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}}]}}\
            """
                .formatted(QUEUE))
        .orThrow();
    String set = Fleet.jobSets() + "/set";
    fleet.await(
        "the JobSet is started",
        () ->
            !fleet.chosen("set").isEmpty()
                && fleet.api(fleet.chosen("set")).get(set).json().at("/spec/suspend").isBoolean()
                && !fleet.api(fleet.chosen("set")).get(set).json().at("/spec/suspend").asBoolean());
    String winner = fleet.chosen("set");

    fleet
        .api(winner)
        .mergePatch(
            set + "/status",
            """
            {"status":{"restarts":2,"conditions":[{"type":"Completed","status":"True",
            "reason":"AllJobsCompleted","message":"all is done",
            "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """)
        .orThrow();

    fleet.finishes("set");
    assertThat(condition(workload("set"), "Finished").path("message").asText())
        .isEqualTo("all is done");
    assertThat(fleet.api().get(set).orThrow().json().at("/status/restarts").asInt()).isEqualTo(2);
    fleet.leavesNothingElsewhere("set");
    fleet.await("the JobSet is gone", () -> fleet.items(winner, Fleet.jobSets()).isEmpty());
  }

  private static String uidOn(String worker, String job) {
    return fleet.api(worker).get(Fleet.job(job)).orThrow().json().at("/metadata/uid").asText();
  }
}
