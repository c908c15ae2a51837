package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.jobs.plan.EmptyJobWorld;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.multicluster.protocol.Memory;
import dev.sluice.multicluster.protocol.WorkerState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SituationsTest {
  private static final Instant LOST = Instant.parse("2026-11-24T10:00:00Z");
  private static final String EVICTED =
      "'conditions': [{'type': 'Evicted', 'status': 'True', 'reason': 'Preempted'}]";

  @TempDir private Path folder;
  private final Lookup objects = new Lookup();
  private final Set<String> used = new HashSet<>();

  @SuppressWarnings("NullAway.Init") // set before each test
  private Clusters clusters;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Situations situations;

  @BeforeEach
  void twoClustersOutOfReach() {
    clusters = new Clusters(folder);
    objects.add(ApiKind.ADMISSION_CHECK.groupKind(), FleetObjects.check());
    objects.add(ApiKind.MULTI_KUEUE_CONFIG.groupKind(), FleetObjects.config("a", "b"));
    for (String name : List.of("a", "b", "strange")) {
      objects.add(
          ApiKind.MULTI_KUEUE_CLUSTER.groupKind(), FleetObjects.cluster(name, "Secret", name));
      clusters.lose(name, LOST);
    }
    situations =
        new Situations(
            new Owners(objects, JobSettings.of(Configuration.defaults("home"), Extensions.DEFAULT)),
            new PlacementConstraints(new EmptyJobWorld()),
            new Checks(objects),
            clusters.workers,
            clusters.requestQueues,
            new OwnOffers(),
            used::contains,
            () -> LOST);
  }

  @AfterEach
  void theyEnd() {
    clusters.close();
  }

  private List<String> workers(String status) {
    JsonNode workload =
        Lookup.tree(
            """
            {'metadata': {'namespace': 'ns', 'name': 'w'},
             'status': {'admissionChecks': [{'name': 'mk', 'state': 'Ready'}], %s}}\
            """
                .formatted(status));
    return situations.of(workload, "us", false, Memory.NONE).workers().stream()
        .map(WorkerState::cluster)
        .toList();
  }

  @Test
  void anEvictionWaitsForNoWorkerThatWasNeverConnected() {
    used.add("a");

    assertThat(workers(EVICTED)).containsExactly("a");
    assertThat(workers("'conditions': []")).containsExactly("a", "b", "strange");
  }

  @Test
  void anEvictionWaitsForTheWorkerThatTheWorkloadNames() {
    assertThat(workers(EVICTED + ", 'clusterName': 'b'")).containsExactly("b");
    assertThat(workers(EVICTED + ", 'nominatedClusterNames': ['a', 'b']"))
        .containsExactly("a", "b");
  }

  /** Otherwise nobody would say that it has stopped there, once its copy is gone. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({"'', true", "a, false"})
  void aWorkloadWithoutACheckIsOfConcernWhileItNamesACluster(String cluster, boolean isOfNone) {
    JsonNode workload =
        Lookup.tree(
            "{'metadata': {'namespace': 'ns', 'name': 'w'}, 'status': {'clusterName': '%s'}}"
                .formatted(cluster));

    assertThat(situations.isOfNoConcern(workload)).isEqualTo(isOfNone);
  }

  @Test
  void anEvictionAsksAWorkerThatIsConnected() {
    clusters.worker("b");

    assertThat(workers(EVICTED)).containsExactly("b");
  }
}
