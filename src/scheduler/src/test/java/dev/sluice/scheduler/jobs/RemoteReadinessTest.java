package dev.sluice.scheduler.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the Pods of a Workload on another cluster are up, as reports and the storage say. */
class RemoteReadinessTest {
  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection connection;

  @SuppressWarnings("NullAway.Init") // set before each test
  private RemoteStops stops;

  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void aProcessThatHasJustStarted() throws IOException {
    connection = Connection.to(Kubeconfigs.plain(folder, 1));
    stops =
        new RemoteStops(
            new Objects(new WatchedView(connection, List.of(), WatchTimes.EAGER, new Random(1))));
    stops.listen(it -> told.add(it.at("/metadata/name").asText()));
  }

  @AfterEach
  void itEnds() {
    connection.close();
  }

  private static JsonNode workload(String cluster, String ready) {
    return json(
        """
        {'metadata':{'name':'w','namespace':'ns','uid':'u'},'status':{'clusterName':'%s',
        'conditions':[{'type':'PodsReady','status':'%s'}]}}\
        """
            .formatted(cluster, ready));
  }

  @Test
  void isAsStoredUntilItIsReported() {
    assertThat(stops.isReady(workload("a", "True"))).isTrue();
    assertThat(stops.isReady(workload("a", "False"))).isFalse();
    assertThat(stops.isReady(workload("", "True"))).as("it runs here").isFalse();

    stops.reportReady(workload("a", "True"), false);

    assertThat(stops.isReady(workload("a", "True"))).isFalse();
  }

  @Test
  void onlyNewsIsTold() {
    stops.reportReady(workload("a", "True"), true);
    assertThat(told).as("what is stored already").isEmpty();

    stops.reportReady(workload("a", "True"), false);
    stops.reportReady(workload("a", "True"), false);
    assertThat(told).containsExactly("w");
  }
}
