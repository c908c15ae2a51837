package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.controller.Clusters.WorkerSide;
import dev.sluice.multicluster.dispatch.AllAtOnce;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DrainControllerTest {
  private static final Duration AMPLE = Duration.ofSeconds(30);
  private static final String FINALIZER = "sluice.dev/multikueue-cleanup";

  @TempDir private Path folder;
  private Clusters clusters;
  private DrainController drain;

  @BeforeEach
  void aManager() {
    clusters = new Clusters(folder);
    DispatchSettings settings =
        new DispatchSettings(
            "multikueue",
            Duration.ofMinutes(15),
            Duration.ofMinutes(1),
            new AllAtOnce(),
            Optional.empty(),
            List.of("jobs.batch", "workloads.kueue.x-k8s.io"),
            true);
    drain =
        new DrainController(
            clusters.ports,
            clusters.workers,
            clusters.requestQueues,
            () -> Optional.of(Clusters.US),
            settings);
    clusters.changed = (_, _) -> drain.resync();
  }

  @AfterEach
  void itEnds() {
    drain.close();
    clusters.close();
  }

  private void config(String names) {
    clusters
        .manager
        .objects()
        .put(
            Clusters.CONFIGS,
            "{'metadata': {'name': 'c'}, 'spec': {'clusters': [%s]}}".formatted(names));
  }

  private void cluster() {
    clusters.manager.objects().put(Clusters.MULTI_KUEUE_CLUSTERS, "{'metadata': {'name': 'a'}}");
  }

  private void delete() {
    JsonNode known = clusters.cluster("a").orElseThrow();
    clusters
        .manager
        .objects()
        .put(
            Clusters.MULTI_KUEUE_CLUSTERS,
            """
            {'metadata': {'name': 'a', 'uid': '%s', 'finalizers': ['other/one', '%s'],
              'deletionTimestamp': '2026-11-24T10:00:00Z'}}\
            """
                .formatted(known.at("/metadata/uid").asText(), FINALIZER));
  }

  private List<String> finalizers() {
    return clusters
        .cluster("a")
        .orElseThrow()
        .at("/metadata/finalizers")
        .valueStream()
        .map(JsonNode::asText)
        .toList();
  }

  private void isHeld() {
    await().atMost(AMPLE).until(() -> finalizers().contains(FINALIZER));
    await().atMost(AMPLE).until(() -> drain.allowsCreates("a"));
  }

  /** A worker with one copy of ours. */
  private WorkerSide workerInUse() {
    WorkerSide worker = clusters.worker("a");
    worker.server().objects().put(Clusters.WORKLOADS, Clusters.copy("w", "us"));
    worker.server().objects().put(Clusters.WORKLOADS, Clusters.copy("theirs", "them"));
    await().atMost(AMPLE).until(() -> worker.view().copies() == 2);
    config("'a'");
    cluster();
    isHeld();
    return worker;
  }

  @Test
  void aClusterIsHeldBeforeAnythingIsCreatedThere() {
    config("'a'");
    cluster();
    await()
        .atMost(AMPLE)
        .until(() -> isKnown() && clusters.ports.objects().all(config()).size() == 1);
    assertThat(drain.allowsCreates("a")).isFalse();
    assertThat(finalizers()).isEmpty();

    clusters.worker("a");
    drain.add("a");

    isHeld();
  }

  private void workload(String name, String status) {
    clusters
        .manager
        .objects()
        .put(
            Clusters.WORKLOADS,
            "{'metadata': {'namespace': 'ns', 'name': '%s'}, 'status': {%s}}"
                .formatted(name, status));
  }

  /** Kueue has no finalizer. */
  @Test
  void aClusterOutOfReachIsHeldWhereAWorkloadRunsByItsStatus() {
    clusters.lose("a", Instant.now());
    workload("w", "'clusterName': 'a'");
    config("'a'");
    cluster();

    await().atMost(AMPLE).until(() -> drain.mayHaveObjects("a"));
    assertThat(finalizers()).containsExactly(FINALIZER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'nominatedClusterNames': ['a']",
        "'clusterName': 'a', 'conditions': [{'type': 'Finished', 'status': 'True'}]"
      })
  void aClusterOutOfReachIsNotHeldWhereAWorkloadIsOnlyOfferedOrHasEnded(String status) {
    clusters.lose("a", Instant.now());
    clusters.lose("z", Instant.now());
    workload("w", status);
    workload("there", "'clusterName': 'z'");
    config("'a', 'z'");
    cluster();
    await()
        .atMost(AMPLE)
        .until(
            () ->
                isKnown()
                    && clusters.ports.objects().all(config()).size() == 1
                    && clusters.ports.objects().all(ApiKind.WORKLOAD.groupKind()).size() == 2);

    drain.add("a");
    clusters.manager.objects().put(Clusters.MULTI_KUEUE_CLUSTERS, "{'metadata': {'name': 'z'}}");

    await().atMost(AMPLE).until(() -> drain.mayHaveObjects("z")); // looked at after the other one
    assertThat(finalizers()).isEmpty();
  }

  private boolean isKnown() {
    return clusters
        .ports
        .objects()
        .find(ApiKind.MULTI_KUEUE_CLUSTER.groupKind(), "", "a")
        .isPresent();
  }

  private static GroupKind config() {
    return ApiKind.MULTI_KUEUE_CONFIG.groupKind();
  }

  @Test
  void aDeletedClusterGoesWhenNothingOfOursIsThereAndOthersKeepTheirFinalizer() {
    WorkerSide worker = workerInUse();

    delete();
    await().atMost(AMPLE).until(() -> !drain.allowsCreates("a"));
    assertThat(finalizers()).contains(FINALIZER);
    worker.server().objects().remove(Clusters.WORKLOADS + "/w");

    await().atMost(AMPLE).until(() -> !finalizers().contains(FINALIZER));
    assertThat(finalizers()).containsExactly("other/one");
    assertThat(clusters.events).isEmpty();
  }

  @Test
  void aClusterTakenOutOfTheConfigurationIsLetGoWhenItIsEmpty() {
    WorkerSide worker = workerInUse();

    config("");
    worker.server().objects().remove(Clusters.WORKLOADS + "/w");

    await().atMost(AMPLE).until(() -> finalizers().isEmpty());
    config("'a'");
    isHeld();
  }

  @Test
  void aClusterThatIsLostForTooLongIsLetGoWithACountOfWhatIsLeft() {
    workerInUse();
    drain.add("a");
    clusters.lose("a", Instant.now().minus(Duration.ofMinutes(16)));

    delete();

    await().atMost(AMPLE).until(() -> finalizers().equals(List.of("other/one")));
    assertThat(clusters.reasons()).containsExactly("ObjectsLeftOnWorker");
    assertThat(clusters.events.getFirst().message())
        .isEqualTo(
            "the worker was out of reach for 15m: 1 workloads.kueue.x-k8s.io are left there; when"
                + " it is back, delete them there: kubectl --context WORKER delete"
                + " workloads.kueue.x-k8s.io -A -l kueue.x-k8s.io/multikueue-origin=multikueue");
  }

  @Test
  void aClusterThatIsLostForAWhileIsWaitedFor() {
    workerInUse();
    clusters.lose("a", Instant.now().minus(Duration.ofMinutes(14)));

    delete();
    await().atMost(AMPLE).until(() -> !drain.allowsCreates("a"));
    WorkerSide back = clusters.worker("a");
    drain.add("a");

    await().atMost(AMPLE).until(() -> !finalizers().contains(FINALIZER));
    assertThat(back.server().calls("DELETE")).isEmpty();
    assertThat(clusters.events).isEmpty();
  }

  @Test
  void withoutTheRightToWriteFinalizersAClusterIsUsedAllTheSame() {
    clusters.manager.answer("PATCH " + Clusters.MULTI_KUEUE_CLUSTERS, Answer.of(403, "no"));
    clusters.worker("a");
    config("'a'");
    cluster();

    await().atMost(AMPLE).until(() -> drain.allowsCreates("a"));
    assertThat(finalizers()).isEmpty();
  }
}
