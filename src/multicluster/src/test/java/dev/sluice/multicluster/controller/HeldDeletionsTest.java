package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.controller.Clusters.WorkerSide;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class HeldDeletionsTest {
  private static final Duration AMPLE = Duration.ofSeconds(30);
  private static final ObjectKey WORKLOAD = new ObjectKey("ns", "w");

  @TempDir private Path folder;
  private Clusters clusters;
  private WorkerSide worker;

  @BeforeEach
  void aWorkerWithAJob() {
    clusters = new Clusters(folder);
    worker = clusters.worker("a");
    clusters.manager.objects().put(Clusters.MULTI_KUEUE_CLUSTERS, "{'metadata': {'name': 'a'}}");
    worker.server().objects().put(Clusters.JOBS, Clusters.copy("w", "us"));
  }

  @AfterEach
  void itEnds() {
    clusters.close();
  }

  private void isHeld() {
    worker
        .server()
        .objects()
        .edit(
            Clusters.JOBS + "/w",
            it ->
                it.withObjectProperty("metadata")
                    .put("deletionTimestamp", "2026-11-24T10:00:00Z")
                    .putArray("finalizers")
                    .add("x.io/y"));
    await()
        .atMost(AMPLE)
        .until(
            () ->
                worker
                    .view()
                    .presence(WorkerRequestQueueTest.JOB.groupKind(), "ns", "w")
                    .object()
                    .filter(it -> it.at("/metadata/finalizers").size() == 1)
                    .isPresent());
  }

  @Test
  void aJobThatAFinalizerHoldsIsToldOnceAndNothingIsRemoved() {
    isHeld();
    await()
        .atMost(AMPLE)
        .until(
            () ->
                clusters
                    .ports
                    .objects()
                    .find(ApiKind.MULTI_KUEUE_CLUSTER.groupKind(), "", "a")
                    .isPresent());
    try (HeldDeletions held = new HeldDeletions(clusters.ports, clusters.workers, Duration.ZERO)) {
      held.look("a", WORKLOAD);
      await().atMost(AMPLE).until(() -> clusters.events.size() == 1);
      held.look("a", WORKLOAD);
    }

    assertThat(clusters.events)
        .singleElement()
        .satisfies(
            (Write.Event it) -> {
              assertThat(it.target().kind().kind()).isEqualTo("MultiKueueCluster");
              assertThat(it.message())
                  .isEqualTo(
                      "Worker cluster \"a\": Job ns/w is being deleted, held by finalizer x.io/y");
            });
    assertThat(worker.server().calls("PATCH")).isEmpty();
    assertThat(worker.server().calls("DELETE")).isEmpty();
  }

  @Test
  void aDeletionThatTakesLessThanAMinuteIsNotTold() {
    isHeld();
    try (HeldDeletions held =
        new HeldDeletions(clusters.ports, clusters.workers, HeldDeletions.PATIENCE)) {
      held.look("a", WORKLOAD);
      worker.server().objects().remove(Clusters.JOBS + "/w");
      await().atMost(AMPLE).until(() -> worker.view().jobsOf(WORKLOAD).isEmpty());
      held.look("a", WORKLOAD);
    }

    assertThat(clusters.events).isEmpty();
  }
}
