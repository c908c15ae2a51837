package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators change while Workloads wait or run, and how much it costs to follow that. */
@Timeout(240)
class ReconfigurationTest {
  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // set at the beginning of each test
  private InMemoryFleet fleet;

  private void aManager() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a", "b");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private static void until(Callable<Boolean> condition) {
    await().atMost(InMemoryFleet.AMPLE).until(condition);
  }

  @Test
  void aWorkerThatJoinsTheConfigurationIsOfferedWhatWaits() {
    aManager();
    fleet.createCluster("b");
    fleet.connect("a");
    fleet.job("j");
    fleet.awaitCopy("a", "j");

    fleet
        .clusters
        .manager
        .objects()
        .edit(
            Clusters.CONFIGS + "/c",
            it -> it.withObjectProperty("spec").withArrayProperty("clusters").add("b"));

    fleet.awaitCopy("b", "j");
    fleet.admit("b", "j");
    fleet.runs("b", "j");
  }

  /** A second check, whose configuration has b alone. */
  private void anotherCheck() {
    fleet
        .clusters
        .manager
        .objects()
        .put(
            InMemoryFleet.CHECKS,
            """
            {'metadata': {'name': 'other'}, 'spec': {'controllerName': 'kueue.x-k8s.io/multikueue',
              'parameters': {'apiGroup': 'kueue.x-k8s.io', 'kind': 'MultiKueueConfig',
              'name': 'only-b'}}}\
            """);
    fleet
        .clusters
        .manager
        .objects()
        .put(Clusters.CONFIGS, "{'metadata': {'name': 'only-b'}, 'spec': {'clusters': ['b']}}");
  }

  /** The scheduler replaces the check of a Workload when its ClusterQueue names another one. */
  private void replaceCheck(String workload) {
    fleet
        .clusters
        .manager
        .objects()
        .edit(
            Clusters.WORKLOADS + "/" + workload,
            it -> {
              ObjectNode check = MemoryObjects.tree("{'name': 'other', 'state': 'Pending'}");
              check.put("message", "").put("lastTransitionTime", "2026-11-24T09:00:00Z");
              it.withObjectProperty("status").putArray("admissionChecks").add(check);
            });
  }

  @Test
  void aWorkloadThatWaitsFollowsItsQueueToAnotherCheck() {
    aManager();
    fleet.createCluster("b");
    fleet.connect("a");
    anotherCheck();
    fleet.job("j");
    fleet.awaitCopy("a", "j");

    replaceCheck("j");

    fleet.awaitCopy("b", "j");
    until(() -> !fleet.has("a", Clusters.WORKLOADS + "/j"));
    fleet.admit("b", "j");
    fleet.runs("b", "j");
  }

  @Test
  void whatRunsWhereAnotherCheckDoesNotLeadIsTriedAgainAndNotBeforeItHasStopped() {
    aManager();
    fleet.createCluster("b");
    fleet.connect("a");
    anotherCheck();
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");

    replaceCheck("j");

    until(() -> fleet.workload("j").at("/status/admissionChecks/0/state").asText().equals("Retry"));
    assertThat(fleet.checkMessage("j"))
        .startsWith("Worker cluster \"a\" is deleted or no longer in the MultiKueueConfig");
    assertThat(fleet.has("b", Clusters.WORKLOADS + "/j")).as("before it has stopped").isFalse();
  }

  @Test
  void withoutAnIntervalWhatIsLeftIsSweptAtEventsAndAtConnects() {
    ObjectNode document = MemoryObjects.tree("{'namespace': 'home'}");
    document.putObject("multiKueue").put("gcInterval", "0s");
    Configuration never = ConfigurationReader.excerpt(document);
    fleet = new InMemoryFleet(folder, never, List.of());
    fleet.start("a");
    fleet.worker("a").objects().put(Clusters.WORKLOADS, Clusters.copy("before", "us"));
    fleet.connect("a");

    until(() -> !fleet.has("a", Clusters.WORKLOADS + "/before"));
    fleet.worker("a").objects().put(Clusters.WORKLOADS, Clusters.copy("event", "us"));
    until(() -> !fleet.has("a", Clusters.WORKLOADS + "/event"));
  }

  @Test
  void aStatusThatChangesAHundredTimesASecondIsWrittenOnceASecondAndInTheEndAsItIs() {
    aManager();
    fleet.connect("a");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");
    String job = Clusters.JOBS + "/j";
    fleet
        .clusters
        .manager
        .objects()
        .edit(job, it -> it.withObjectProperty("spec").put("suspend", false));
    AtomicInteger number = new AtomicInteger();
    long began = System.nanoTime();

    await()
        .atMost(InMemoryFleet.AMPLE)
        .pollInterval(Duration.ofMillis(10))
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              int ready = number.incrementAndGet();
              fleet
                  .worker("a")
                  .objects()
                  .edit(
                      job,
                      it -> {
                        it.withObjectProperty("spec").put("suspend", false);
                        it.withObjectProperty("status").put("active", 1).put("ready", ready);
                      });
              return ready == 300;
            });
    until(
        () ->
            fleet.clusters.manager.objects().find(job).orElseThrow().at("/status/ready").asInt()
                == 300);

    long seconds = (System.nanoTime() - began) / 1_000_000_000 + 1;
    assertThat(fleet.clusters.manager.calls("PATCH " + job + "/status"))
        .hasSizeLessThanOrEqualTo((int) seconds + 1);
  }

  @Test
  void aRestartCountsNoDispatchAndNoAdmissionAgain() {
    aManager();
    fleet.connect("a");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");
    until(() -> count("multikueue.workloads.admitted") == 1);
    assertThat(count("multikueue.workloads.dispatched")).isEqualTo(1);

    fleet.restart();
    fleet.awaitActive("a", "Connected");
    fleet.job("k");
    fleet.awaitCopy("a", "k");
    fleet.admit("a", "k");
    fleet.runs("a", "k");

    until(() -> count("multikueue.workloads.admitted") == 1);
    assertThat(count("multikueue.workloads.dispatched")).as("since the restart").isEqualTo(1);
  }

  private double count(String counter) {
    return fleet.clusters.registry.find(counter).counters().stream()
        .mapToDouble(it -> it.count())
        .sum();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSecondNameOfAWorkerStopsNothingThere(boolean afterARestart) {
    aManager();
    fleet.connect("b");
    fleet.job("j");
    fleet.awaitCopy("b", "j");
    fleet.admit("b", "j");
    fleet.runs("b", "j");

    fleet.createCluster("a", "Secret", "b");
    if (afterARestart) {
      fleet.restart();
    }
    fleet.createConfig("a", "b");

    until(() -> fleet.active("a").path("message").asText().contains("MultiKueueCluster \"b\""));
    fleet.awaitActive("b", "Connected");
    fleet.job("k");
    fleet.awaitCopy("b", "k"); // by then, what is there was looked at
    JsonNode there = fleet.worker("b").objects().find(Clusters.WORKLOADS + "/j").orElseThrow();
    assertThat(Conditions.isTrue(there, "DeactivationTarget")).isFalse();
    assertThat(fleet.has("b", Clusters.JOBS + "/j")).isTrue();
    assertThat(fleet.worker("b").deletions()).isEmpty();
  }

  @Test
  void aWorkerIsFreeForAnotherNameOnceItsOwnLeadsElsewhereThoughNobodyAnswersThere() {
    aManager();
    fleet.connect("a");
    fleet.awaitActive("a", "Connected");
    fleet.worker("b").answer("", Answer.of(503, "not yet"));
    fleet.redirect("a", "b");
    until(() -> !Conditions.isTrue(fleet.active("a")));

    fleet.createCluster("c", "Secret", "b");
    fleet.redirect("b", "a");

    fleet.awaitActive("c", "Connected");
  }
}
