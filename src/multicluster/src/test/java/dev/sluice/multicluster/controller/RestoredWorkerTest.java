package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.apiserver.MemoryObjects.Backup;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that is restored from a backup: what came back from the dead goes again. */
@FullTier
@Timeout(240)
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
    fleet.worker("a").answer("GET ", Answer.of(503, "starting"));
    fleet.worker("a").endWatches();
    await().atMost(InMemoryFleet.AMPLE).until(() -> !Conditions.isTrue(fleet.active("a")));
    fleet.worker("a").objects().restore(backup);
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
}
