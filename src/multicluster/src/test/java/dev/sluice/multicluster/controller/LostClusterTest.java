package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A LeaderWorkerSet of three replicas, whose Workloads are on one worker, and lose it. */
@FullTier
@Timeout(240)
class LostClusterTest {
  private static final String SETS =
      "/apis/leaderworkerset.x-k8s.io/v1/namespaces/ns/leaderworkersets";
  private static final List<String> REPLICAS = List.of("s-0", "s-1", "s-2");

  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aSet() {
    fleet =
        new InMemoryFleet(
            folder,
            ConfigurationReader.excerpt(
                Lookup.tree(
                    """
                    {'namespace': 'home', 'multiKueue': {'workerLostTimeout': '3s'},
                     'integrations': {
                       'frameworks': ['leaderworkerset.x-k8s.io/leaderworkerset']}}\
                    """)),
            List.of(
                Clusters.watched(
                    new GroupVersionKind("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"),
                    "leaderworkersets")));
    fleet.startConnected("a", "b");
    fleet
        .clusters
        .manager
        .objects()
        .put(
            SETS,
            """
            {'apiVersion': 'leaderworkerset.x-k8s.io/v1', 'kind': 'LeaderWorkerSet',
             'metadata': {'name': 's', 'namespace': 'ns', 'uid': 's-uid'},
             'spec': {'replicas': 3, 'leaderWorkerTemplate': {'size': 1,
               'workerTemplate': {'spec': {'containers': []}}}}}\
            """);
    for (String replica : REPLICAS) {
      fleet.workload(
          replica,
          """
          {'apiVersion': 'leaderworkerset.x-k8s.io/v1', 'kind': 'LeaderWorkerSet', 'name': 's',
           'uid': 's-uid', 'controller': true}\
          """,
          "'kueue.x-k8s.io/component-workload-index': '%s'"
              .formatted(replica.substring(replica.length() - 1)));
    }
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private static void until(Callable<Boolean> condition) {
    await().atMost(InMemoryFleet.AMPLE).until(condition);
  }

  private boolean isOn(String worker, String replica) {
    return fleet.workload(replica).at("/status/clusterName").asText().equals(worker);
  }

  /** The first one is admitted there, and the others follow it. */
  private void placed(String worker) {
    fleet.awaitCopy(worker, "s-0");
    assertThat(fleet.has(worker, Clusters.WORKLOADS + "/s-1")).as("before the first").isFalse();
    fleet.admit(worker, "s-0");
    until(() -> isOn(worker, "s-0") && fleet.has(worker, SETS + "/s"));
    for (String replica : REPLICAS.subList(1, 3)) {
      fleet.awaitCopy(worker, replica);
      fleet.admit(worker, replica);
      until(() -> isOn(worker, replica));
    }
  }

  private String state(String replica) {
    return fleet.workload(replica).at("/status/admissionChecks/0/state").asText();
  }

  @Test
  void allAreTriedAgainTogetherAndGoTogetherToAnotherWorker() {
    placed("a");

    fleet.worker("a").answer("", Answer.of(503, "down"));
    fleet.worker("a").endWatches();

    until(() -> REPLICAS.stream().allMatch(it -> state(it).equals("Retry")));
    assertThat(REPLICAS)
        .extracting(fleet::checkMessage)
        .containsOnly("Admitting remote lost, Previously: \"Ready\"");
    REPLICAS.reversed().forEach(it -> Schedulers.requeue(fleet, it));
    placed("b");
    fleet.worker("a").mend();
    until(
        () -> {
          REPLICAS.forEach(it -> Schedulers.stop(fleet, "a", it));
          return !fleet.has("a", SETS + "/s")
              && REPLICAS.stream().noneMatch(it -> fleet.has("a", Clusters.WORKLOADS + "/" + it));
        });
    assertThat(REPLICAS).allMatch(it -> isOn("b", it));
    assertThat(fleet.has("b", SETS + "/s")).isTrue();
  }
}
