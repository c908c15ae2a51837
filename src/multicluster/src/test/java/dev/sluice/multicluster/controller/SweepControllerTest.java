package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.controller.Clusters.WorkerSide;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class SweepControllerTest {
  private static final Duration AMPLE = Duration.ofSeconds(60);
  private static final GroupKind CLUSTER = ApiKind.MULTI_KUEUE_CLUSTER.groupKind();
  private static final String ALL_WORKLOADS = "/apis/kueue.x-k8s.io/v1beta2/workloads";

  /** A question for one Workload of the manager. */
  private static final String QUESTION = "GET " + Clusters.WORKLOADS + "?fieldSelector=";

  @TempDir private Path folder;
  private Clusters clusters;
  private WorkerSide worker;
  private SweepController sweep;

  @BeforeEach
  void aManagerWithAWorker() {
    clusters = new Clusters(folder);
    worker = clusters.worker("a");
    clusters.manager.objects().put(Clusters.MULTI_KUEUE_CLUSTERS, "{'metadata': {'name': 'a'}}");
    sweep =
        new SweepController(
            clusters.ports,
            clusters.workers,
            clusters.requestQueues,
            clusters.metrics,
            () -> Optional.of(Clusters.US),
            Duration.ZERO);
  }

  @AfterEach
  void itEnds() {
    sweep.close();
    clusters.close();
  }

  private void put(String collection, String name, String manager) {
    worker.server().objects().put(collection, Clusters.copy(name, manager));
  }

  /** Sweeps once the worker's watch shows so many Workloads. */
  private void sweep(int workloads) {
    await()
        .atMost(AMPLE)
        .until(
            () -> worker.view().isComplete() && worker.view().workloadsThere().size() == workloads);
    await().atMost(AMPLE).until(() -> clusters.ports.objects().find(CLUSTER, "", "a").isPresent());
    sweep.add("a");
  }

  private double counted(String name, String tag, String value) {
    var counter = clusters.registry.find(name).tag(tag, value).counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void whatHasNoWorkloadHereGoesJobFirstAfterTheApiServerWasAsked() {
    put(Clusters.WORKLOADS, "w", "us");
    put(Clusters.JOBS, "w", "us");

    sweep(1);

    await().atMost(AMPLE).until(() -> !worker.has(Clusters.WORKLOADS + "/w"));
    assertThat(clusters.manager.calls(QUESTION)).isNotEmpty();
    assertThat(worker.server().calls("DELETE"))
        .containsExactly("DELETE " + Clusters.JOBS + "/w", "DELETE " + Clusters.WORKLOADS + "/w");
    await().atMost(AMPLE).until(() -> counted("sluice.worker.swept", "why", "no_workload") == 2);
  }

  @Test
  void aWorkloadThatIsHereIsAskedForByNobody() {
    clusters
        .manager
        .objects()
        .put(Clusters.WORKLOADS, "{'metadata': {'name': 'w', 'namespace': 'ns'}}");
    await()
        .atMost(AMPLE)
        .until(
            () ->
                clusters.ports.objects().find(ApiKind.WORKLOAD.groupKind(), "ns", "w").isPresent());
    put(Clusters.WORKLOADS, "w", "us");
    put(Clusters.WORKLOADS, "gone", "us");

    sweep(2);

    await().atMost(AMPLE).until(() -> !worker.has(Clusters.WORKLOADS + "/gone"));
    assertThat(worker.has(Clusters.WORKLOADS + "/w")).isTrue();
    assertThat(clusters.manager.calls(QUESTION)).allMatch(it -> it.endsWith("gone"));
  }

  @Test
  void aWatchThatIsBehindDeletesNothing() {
    clusters.manager.answer(
        QUESTION,
        new Answer(200, Map.of(), "{\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"w\"}}]}"));
    put(Clusters.WORKLOADS, "w", "us");

    sweep(1);

    await().atMost(AMPLE).until(() -> clusters.manager.calls(QUESTION).size() >= 1);
    assertThat(worker.server().calls("DELETE")).isEmpty();
  }

  @Test
  void aManagerThatCannotBeAskedDeletesNothingUntilItCan() {
    clusters.manager.answer(QUESTION, Answer.of(503, "down"));
    put(Clusters.WORKLOADS, "w", "us");
    sweep(1);
    await().atMost(AMPLE).until(() -> clusters.manager.calls(QUESTION).size() >= 1);
    assertThat(worker.server().calls("DELETE")).isEmpty();

    clusters.manager.mend();

    await().atMost(AMPLE).until(() -> !worker.has(Clusters.WORKLOADS + "/w"));
  }

  @Test
  void aReplicaThatDoesNotLeadAsksNobody() {
    put(Clusters.WORKLOADS, "w", "us");
    clusters.leads = false;
    sweep(1);

    clusters.leads = true;
    sweep.add("a");

    await().atMost(AMPLE).until(() -> !worker.has(Clusters.WORKLOADS + "/w"));
    assertThat(clusters.manager.calls(QUESTION)).hasSize(1);
  }

  @Test
  void whatAnotherManagerMadeStaysAndIsToldOnce() {
    put(Clusters.WORKLOADS, "theirs", "them");
    put(Clusters.WORKLOADS, "unmarked", "");
    put(Clusters.WORKLOADS, "ours", "us");

    sweep(3);
    await().atMost(AMPLE).until(() -> !worker.has(Clusters.WORKLOADS + "/ours"));
    sweep(2);
    await().atMost(AMPLE).until(() -> clusters.requestQueues.of("a").isIdle());

    assertThat(worker.server().calls("DELETE"))
        .as("a sweep before the watch tells of the deletion does not ask for it again")
        .containsExactly("DELETE " + Clusters.WORKLOADS + "/ours");
    assertThat(clusters.reasons()).containsExactly("OriginShared");
    clusters.metrics.measure("a", clusters.requestQueues, new LeftOutCounts());
    assertThat(clusters.registry.get("sluice.worker.unproven").gauge().value()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"30, 60", "120, 220"}) // the last 20 are no mass any more
  void aMassIsToldAndAskedForOnceMoreBeforeItGoes(int count, int questions) {
    for (int i = 0; i < count; i++) {
      put(Clusters.WORKLOADS, "w" + i, "us");
    }

    sweep(count);

    await().atMost(AMPLE).until(() -> worker.server().objects().count(ALL_WORKLOADS) == 0);
    assertThat(clusters.manager.calls(QUESTION)).hasSizeGreaterThanOrEqualTo(questions);
    assertThat(clusters.reasons()).containsExactly("MassDeletion");
    assertThat(counted("sluice.worker.mass.deletions", "cluster", "a")).isEqualTo(1);
  }
}
