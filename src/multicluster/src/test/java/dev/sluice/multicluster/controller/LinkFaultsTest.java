package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What may go wrong on the way to a worker. */
@Execution(ExecutionMode.CONCURRENT) // most of it is waiting
@Timeout(240)
@Order(1) // it takes long, so it begins first
class LinkFaultsTest {
  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManager() {
    fleet = new InMemoryFleet(folder);
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  @Test
  void theWorkerThatAdmitsGetsTheJobAndTheOthersAreWithdrawn() {
    fleet.start("a", "b");
    fleet.connect("a", "b");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.awaitCopy("b", "j");

    fleet.admit("b", "j");

    fleet.runs("b", "j");
    await().atMost(InMemoryFleet.AMPLE).until(() -> !fleet.has("a", Clusters.WORKLOADS + "/j"));
    assertThat(fleet.has("a", Clusters.JOBS + "/j")).isFalse();
    await() // events are sent beside the writes
        .atMost(InMemoryFleet.AMPLE)
        .untilAsserted(
            () ->
                assertThat(fleet.clusters.events.stream().map(it -> it.message()).toList())
                    .contains(
                        "Nominated worker clusters: a, b", "The workload was admitted on \"b\""));
    assertThat(
            fleet
                .clusters
                .registry
                .get("multikueue.workloads.dispatched")
                .tag("cluster", "a")
                .tag("replica_role", "leader")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(
            fleet
                .clusters
                .registry
                .get("multikueue.cluster.status")
                .tag("cluster", "a")
                .gauge()
                .value())
        .isEqualTo(1);
    await() // it is recorded after the event was sent
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                fleet
                    .clusters
                    .registry
                    .find("sluice.worker.lag")
                    .tag("cluster", "b")
                    .timers()
                    .stream()
                    .anyMatch(it -> it.count() > 0));
  }

  @FullTier
  @Test
  void aWorkerThatNeverAnswersIsWaitedForByNobody() {
    fleet.start("a", "hole");
    fleet.worker("hole").answer("GET ", new Answer(0, Map.of(), ""));
    fleet.connect("hole", "a");
    fleet.job("j");

    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");

    fleet.runs("a", "j");
    assertThat(fleet.has("hole", Clusters.WORKLOADS + "/j")).isFalse();
  }

  /** No time passes for the manager, so nothing goes on because it has waited long enough. */
  @Test
  void aConnectedWorkerThatDoesNotSayWhetherItHasAJobIsWaitedForByNobody() {
    fleet.start("a", "b");
    fleet.worker("b").answer("GET " + Clusters.JOBS + "/j", new Answer(0, Map.of(), ""));
    fleet.connect("a", "b");
    fleet.awaitActive("a", "Connected");
    fleet.awaitActive("b", "Connected");
    fleet.clusters.time = InstantSource.fixed(Instant.now());
    fleet.job("j");

    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");

    fleet.runs("a", "j");
    assertThat(fleet.has("b", Clusters.WORKLOADS + "/j")).isFalse();
  }

  @Test
  void aWorkerThatAsksForItIsLeftAloneAndIsNotLost() {
    fleet.start("a", "b");
    fleet.connect("a", "b");
    fleet.awaitActive("a", "Connected");
    fleet
        .worker("a")
        .answer("POST ", new Answer(429, Map.of("Retry-After", "3"), "{\"message\":\"too many\"}"));
    fleet.job("j");
    fleet.awaitCopy("b", "j");
    await().atMost(InMemoryFleet.AMPLE).until(() -> fleet.worker("a").calls("POST").size() == 1);
    fleet.job("k");

    fleet.awaitCopy("b", "k");
    assertThat(fleet.worker("a").calls("POST")).as("in three seconds").hasSize(1);
    assertThat(Conditions.isTrue(fleet.active("a"))).isTrue();
    fleet.worker("a").mend();
    fleet.awaitCopy("a", "j");
    fleet.awaitCopy("a", "k");
  }

  @Test
  void aKindThatMayNotBeWatchedIsToldAndUsedOnceItMay() {
    fleet.start("a", "b");
    fleet
        .worker("a")
        .answer("GET " + InMemoryFleet.ALL_JOBS, Answer.of(403, "jobs.batch is forbidden"));
    fleet.connect("a", "b");
    fleet.awaitActive("a", "Connected; jobs.batch not watched: ");
    fleet.awaitActive("b", "Connected");
    fleet.job("j");
    fleet.awaitCopy("b", "j");
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> fleet.checkMessage("j").contains("a: does not serve Job"));
    assertThat(fleet.has("a", Clusters.WORKLOADS + "/j")).isFalse();

    fleet.worker("a").mend();

    fleet.awaitCopy("a", "j");
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> fleet.active("a").path("message").asText().equals("Connected"));
  }

  @Test
  void aNewTokenInTheSecretIsUsedBeforeTheLinkIsLost() {
    fleet.start("a");
    fleet.connect("a");
    fleet.awaitActive("a", "Connected");
    String since = fleet.active("a").path("lastTransitionTime").asText();
    int lists = fleet.worker("a").calls(InMemoryFleet.LISTS).size();

    fleet.login("a", "second");
    fleet.worker("a").endWatches();
    fleet.job("j");

    fleet.awaitCopy("a", "j");
    assertThat(fleet.active("a").path("lastTransitionTime").asText()).isEqualTo(since);
    assertThat(fleet.worker("a").calls(InMemoryFleet.LISTS)).as("lists").hasSize(lists);
  }

  @Test
  void aTokenThatIsRefusedLosesTheLinkWithTheWorkersWords() {
    fleet.start("a");
    fleet.connect("a");
    fleet.awaitActive("a", "Connected");

    fleet.worker("a").demand("another");
    fleet.worker("a").endWatches();

    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> fleet.active("a").path("message").asText().contains("Unauthorized"));
    assertThat(fleet.active("a").path("reason").asText()).isEqualTo("ClientConnectionFailed");
    assertThat(fleet.active("a").toString()).doesNotContain("first");
  }

  @FullTier
  @Test
  void aWorkerThatWasRebuiltEmptyIsNotTakenForTheOldOne() {
    fleet.start("a");
    fleet.connect("a");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");

    fleet.worker("a").answer("GET ", Answer.of(503, "starting"));
    fleet.worker("a").endWatches();
    await().atMost(InMemoryFleet.AMPLE).until(() -> !Conditions.isTrue(fleet.active("a")));
    fleet.worker("a").objects().clear();
    fleet.identity("a", "a-uid-of-the-new-one");
    fleet.worker("a").mend();

    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                fleet
                    .workload("j")
                    .at("/status/admissionChecks/0/message")
                    .asText()
                    .equals("Admitting remote no longer exists, Previously: \"Ready\""));
    assertThat(fleet.workload("j").at("/status/admissionChecks/0/state").asText())
        .isEqualTo("Retry");
    assertThat(fleet.worker("a").calls("DELETE")).isEmpty();
  }

  @Test
  void whatAManagerMadeOnAWorkerThatIsDeletedGoesBeforeItsObject() {
    fleet.start("a", "b");
    fleet.connect("a", "b");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.awaitCopy("b", "j");
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                fleet
                    .clusters
                    .cluster("a")
                    .orElseThrow()
                    .at("/metadata/finalizers")
                    .toString()
                    .contains("sluice.dev/multikueue-cleanup"));

    fleet
        .clusters
        .manager
        .objects()
        .edit(
            Clusters.MULTI_KUEUE_CLUSTERS + "/a",
            it ->
                it.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-24T10:00:00Z"));

    await().atMost(InMemoryFleet.AMPLE).until(() -> fleet.clusters.cluster("a").isEmpty());
    assertThat(fleet.has("a", Clusters.WORKLOADS + "/j")).isFalse();
    assertThat(fleet.has("b", Clusters.WORKLOADS + "/j")).isTrue();
  }

  @Test
  void aStatusThatTheManagersApiServerRefusesOnceIsTriedAgainWithoutAnotherEvent() {
    fleet.start("a");
    fleet.connect("a");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");
    String status = "PATCH " + Clusters.JOBS + "/j/status";
    fleet.clusters.manager.answer(status, Answer.of(422, "startTime is immutable"));
    String job = Clusters.JOBS + "/j";
    fleet
        .clusters
        .manager
        .objects()
        .edit(job, it -> it.withObjectProperty("spec").put("suspend", false));
    fleet
        .worker("a")
        .objects()
        .edit(
            job,
            it -> {
              it.withObjectProperty("spec").put("suspend", false);
              it.withObjectProperty("status").put("active", 1);
            });
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> !fleet.clusters.manager.calls(status).isEmpty());

    fleet.clusters.manager.mend();

    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                fleet
                        .clusters
                        .manager
                        .objects()
                        .find(job)
                        .orElseThrow()
                        .at("/status/active")
                        .asInt()
                    == 1);
  }

  @Test
  void whatIsToldAfterAWriteThatConflictsIsToldWhenThatIsMadeUpFor() {
    fleet.start("a");
    fleet.connect("a");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");
    String status = "PATCH " + Clusters.WORKLOADS + "/j/status";
    fleet.clusters.manager.answer(status, Answer.of(409, "the object has been modified"));
    int before = fleet.clusters.manager.calls(status).size();

    fleet
        .worker("a")
        .objects()
        .edit(
            Clusters.WORKLOADS + "/j",
            it ->
                it.withObjectProperty("status")
                    .withArrayProperty("conditions")
                    .addObject()
                    .put("type", "Finished")
                    .put("status", "True")
                    .put("reason", "OutOfSync")
                    .put("message", "it differs"));
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> fleet.clusters.manager.calls(status).size() > before);
    fleet.clusters.manager.mend();

    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                fleet.clusters.events.stream()
                    .anyMatch(
                        it ->
                            it.message()
                                .startsWith("Worker cluster \"a\": the job there is out of sync")));
    assertThat(fleet.checkMessage("j")).startsWith("Remote workload on worker cluster");
  }
}
