package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.apiserver.MemoryObjects.Backup;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker that is restored from a backup, or rebuilt empty. Copies that had ended are deleted
 * again, missing ones are created again, and all others go on.
 */
@FullTier
@Timeout(240)
@Order(1) // it takes long, so it begins first
class RestoredWorkerTest {
  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManagerWithAWorker() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a");
    fleet.connect("a");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private void running(String job) {
    fleet.job(job);
    fleet.awaitCopy("a", job);
    fleet.admit("a", job);
    fleet.runs("a", job);
  }

  private void restore(Backup backup) {
    replace(() -> fleet.worker("a").objects().restore(backup));
  }

  /** The worker's API server stops, another cluster is put in its place, and it starts. */
  private void replace(Runnable change) {
    fleet.worker("a").answer("GET ", Answer.of(503, "starting"));
    fleet.worker("a").endWatches();
    await().atMost(InMemoryFleet.AMPLE).until(() -> !Conditions.isTrue(fleet.active("a")));
    change.run();
    fleet.worker("a").mend();
    fleet.awaitActive("a", "Connected");
  }

  private boolean isGone(String job) {
    return !fleet.has("a", Clusters.JOBS + "/" + job)
        && !fleet.has("a", Clusters.WORKLOADS + "/" + job);
  }

  private JsonNode there(String job) {
    return fleet.worker("a").objects().find(Clusters.JOBS + "/" + job).orElseThrow();
  }

  @Test
  void whatEndedSinceTheBackupGoesWhatRunsStaysAndWhatIsMissingIsTriedAnew() {
    running("ended");
    running("deleted");
    running("runs");
    String uid = there("runs").at("/metadata/uid").asText();
    Backup backup = fleet.worker("a").objects().backup();
    fleet.finish("ended");
    fleet.clusters.manager.objects().remove(Clusters.WORKLOADS + "/deleted");
    fleet.clusters.manager.objects().remove(Clusters.JOBS + "/deleted");
    await().atMost(InMemoryFleet.AMPLE).until(() -> isGone("ended") && isGone("deleted"));
    running("later");

    restore(backup);

    await().atMost(InMemoryFleet.AMPLE).until(() -> isGone("ended") && isGone("deleted"));
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                fleet
                    .checkMessage("later")
                    .equals("Admitting remote no longer exists, Previously: \"Ready\""));
    assertThat(there("runs").at("/metadata/uid").asText()).isEqualTo(uid);
    assertThat(fleet.workload("runs").at("/status/clusterName").asText()).isEqualTo("a");
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(it -> "%s-%02d".formatted(prefix, it)).toList();
  }

  /** Jobs that run there until they may end; from then on each worker admits them. */
  private Schedulers started(List<String> jobs, String worker) {
    jobs.forEach(fleet::job);
    Schedulers schedulers = new Schedulers(fleet, List.of("a", "b"), jobs);
    schedulers.areEnding = false;
    schedulers.admitting = List.of(worker);
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () -> {
              schedulers.step();
              return jobs.stream()
                  .allMatch(it -> Conditions.isTrue(fleet.workload(it), "Admitted"));
            });
    return schedulers;
  }

  /** Steps until all of these jobs have finished, and nothing of them is on a worker. */
  private static void end(Schedulers... all) {
    for (Schedulers each : all) {
      each.areEnding = true;
      each.admitting = List.of("a", "b");
    }
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () -> {
              List.of(all).forEach(Schedulers::step);
              return Stream.of(all).allMatch(Schedulers::areOver);
            });
  }

  private void join(String worker) {
    fleet.start(worker);
    fleet.createCluster(worker);
    fleet.createConfig("a", worker);
    fleet.awaitActive(worker, "Connected");
  }

  @Test
  void ofFiftyJobsThoseOfAWorkerThatWasRebuiltEmptyRunAgainAndTheOthersGoOn() {
    join("b");
    List<String> lost = names("lost", 25);
    List<String> others = names("other", 25);
    Schedulers ofA = started(lost, "a");
    Schedulers ofB = started(others, "b");

    replace(
        () -> {
          fleet.worker("a").objects().clear();
          fleet.identity("a", "a-uid-of-the-new-one");
          fleet.worker("a").objects().put("/api/v1/namespaces", "{'metadata': {'name': 'ns'}}");
        });

    end(ofA, ofB);
    assertThat(lost).allSatisfy(it -> assertThat(ofA.starts(it)).as(it).hasSize(2));
    assertThat(others).allSatisfy(it -> assertThat(ofB.starts(it)).as(it).containsExactly("b"));
  }

  @Test
  void ofFiftyJobsOfAWorkerThatWasRestoredOnlyThoseThatAreMissingRunAgain() {
    join("b");
    List<String> ended = names("ended", 15);
    List<String> running = names("runs", 15);
    List<String> later = names("later", 10);
    List<String> others = names("other", 10);
    Schedulers toEnd = started(ended, "a");
    Schedulers goOn = started(running, "a");
    Schedulers ofB = started(others, "b");
    Backup backup = fleet.worker("a").objects().backup();
    end(toEnd);
    Schedulers afterwards = started(later, "a");

    restore(backup);

    end(toEnd, goOn, afterwards, ofB);
    assertThat(ended).allSatisfy(it -> assertThat(toEnd.starts(it)).as(it).containsExactly("a"));
    assertThat(running).allSatisfy(it -> assertThat(goOn.starts(it)).as(it).containsExactly("a"));
    assertThat(later).allSatisfy(it -> assertThat(afterwards.starts(it)).as(it).hasSize(2));
    assertThat(others).allSatisfy(it -> assertThat(ofB.starts(it)).as(it).containsExactly("b"));
  }
}
