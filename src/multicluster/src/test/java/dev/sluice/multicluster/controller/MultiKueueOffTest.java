package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.multicluster.MultiKueue;
import dev.sluice.scheduler.work.Controller;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manager whose gate MultiKueue was turned off. */
@Timeout(120)
class MultiKueueOffTest {
  private static final Configuration OFF =
      ConfigurationReader.excerpt(Lookup.tree("{'featureGates': {'MultiKueue': false}}"));

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Clusters clusters;

  private List<Controller> controllers = List.of();

  @BeforeEach
  void aManager() {
    clusters = new Clusters(folder);
    controllers = new MultiKueue(OFF, Extensions.DEFAULT).create(clusters.ports);
    clusters.changed = (kind, change) -> controllers.forEach(it -> it.changed(kind, change));
  }

  @AfterEach
  void itEnds() {
    controllers.forEach(Controller::close);
    clusters.close();
  }

  private void cluster(String name, String deletion) {
    clusters
        .manager
        .objects()
        .put(
            Clusters.MULTI_KUEUE_CLUSTERS,
            """
            {'metadata': {'name': '%s', 'uid': '%s-uid', %s
              'finalizers': ['other/one', 'sluice.dev/multikueue-cleanup']}}\
            """
                .formatted(name, name, deletion));
  }

  private List<String> finalizers(String name) {
    return clusters
        .cluster(name)
        .orElseThrow()
        .at("/metadata/finalizers")
        .valueStream()
        .map(it -> it.asText())
        .toList();
  }

  @Test
  void aClusterThatIsDeletedLosesOurFinalizerAndItIsTold() {
    cluster("stays", "");
    cluster("goes", "'deletionTimestamp': '2026-11-24T10:00:00Z',");

    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> finalizers("goes").equals(List.of("other/one")));
    await().atMost(InMemoryFleet.AMPLE).until(() -> !clusters.reasons().isEmpty());
    assertThat(clusters.reasons()).containsExactly("ObjectsLeftOnWorker");
    assertThat(finalizers("stays")).contains("sluice.dev/multikueue-cleanup");
  }

  @Test
  void whatWasDeletedBeforeThisReplicaLedGoesToo() {
    clusters.leads = false;
    cluster("goes", "'deletionTimestamp': '2026-11-24T10:00:00Z',");
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () -> !clusters.ports.objects().all(ApiKind.MULTI_KUEUE_CLUSTER.groupKind()).isEmpty());
    assertThat(finalizers("goes")).hasSize(2);

    clusters.leads = true;
    controllers.forEach(Controller::resync);

    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> finalizers("goes").equals(List.of("other/one")));
  }
}
