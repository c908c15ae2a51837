package dev.sluice.cli.schedule;

import static dev.sluice.cli.schedule.PlacedJobs.HOSTNAME;
import static dev.sluice.cli.schedule.PlacedJobs.RACK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Etcd;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Topology that changes below Jobs that are placed by it. */
@FullTier
@NeedsControlPlane
@Timeout(1200)
class TopologyE2E {
  private static final String TOPOLOGY = Kueue.path(ApiKind.TOPOLOGY, ApiVersion.HUB, "story");

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static final PlacedJobs JOBS = new PlacedJobs(CLUSTER);

  /** Stores levels in the Topology, also some that the API server would not take. */
  private static void store(String... levels) {
    try (Etcd etcd = Etcd.of(CLUSTER.controlPlane())) {
      ObjectNode stored = (ObjectNode) etcd.read(ApiKind.TOPOLOGY, "", "story");
      ArrayNode changed = ((ObjectNode) stored.path("spec")).putArray("levels");
      for (String level : levels) {
        changed.addObject().put("nodeLabel", level);
      }
      etcd.write(ApiKind.TOPOLOGY, "", "story", stored);
    }
  }

  private static String active(String queue) {
    String path = Kueue.path(ApiKind.CLUSTER_QUEUE, ApiVersion.HUB, queue);
    for (JsonNode condition : CLUSTER.api().get(path).orThrow().json().at("/status/conditions")) {
      if (condition.path("type").asText().equals("Active")) {
        return condition.path("reason").asText() + ": " + condition.path("message").asText();
      }
    }
    return "";
  }

  /** What once crashed others: levels that a conversion lost, and nodes that come then. */
  @Test
  void aTopologyThatLosesItsLevelsStopsItsQueueAloneUntilItHasSome()
      throws IOException, InterruptedException {
    JOBS.topology(ApiVersion.V1ALPHA1, "story", RACK, HOSTNAME);
    for (ApiVersion version : ApiKind.TOPOLOGY.versions()) {
      String path = Kueue.path(ApiKind.TOPOLOGY, version, "story");
      assertThat(Kueue.levels(CLUSTER.api().get(path).orThrow().json()))
          .containsExactly(RACK, HOSTNAME);
    }
    JOBS.queue("story", "story");
    JOBS.queue("plain", "");
    JOBS.node("story-1", "story", "r", 4);
    JOBS.node("plain-1", "plain", "r", 4);
    try (SluiceProcess process = JOBS.schedule()) {
      JOBS.job("story", "first", 2, 1, Map.of("podset-required-topology", RACK));
      JOBS.await("it is completed", () -> JOBS.completed("story") == 1);

      store();
      JOBS.await(
          "the queue says why it is inactive",
          () ->
              active("story").startsWith("TopologyNotFound: ")
                  && active("story").contains("Topology story: spec.levels is empty"));
      JOBS.node("story-2", "story", "r", 4);
      JOBS.job("story", "second", 2, 1, Map.of("podset-required-topology", RACK));
      JOBS.job("plain", "other", 2, 1, Map.of());
      JOBS.await("others go on", () -> JOBS.completed("plain") == 1);
      JOBS.await(
          "who waits is told why",
          () ->
              JOBS.workloads("story").toString().contains("Topology story: spec.levels is empty"));
      assertThat(JOBS.completed("story")).isEqualTo(1);

      store(RACK, "example.com/row", HOSTNAME);
      JOBS.await(
          "the queue names the level that no node has",
          () -> active("story").contains("spec.levels[1].nodeLabel example.com/row"));

      store(RACK, HOSTNAME);
      JOBS.await("it goes on", () -> JOBS.completed("story") == 2);
      JOBS.await("the queue says so", () -> active("story").startsWith("Ready"));

      // it loses them again, and is recreated as the message says
      JOBS.job(
          "story",
          "third",
          2,
          1,
          Map.of("podset-required-topology", RACK, "simulated/run-forever", "true"));
      JOBS.await(
          "both its pods run",
          () -> JOBS.running("story").values().stream().mapToInt(pods -> pods).sum() == 2);
      Map<String, Integer> before = JOBS.running("story");
      store();
      JOBS.await(
          "the queue says what to do",
          () -> active("story").contains("delete it and create it anew"));
      CLUSTER.api().mergePatch(TOPOLOGY, "{\"metadata\":{\"finalizers\":null}}");
      CLUSTER.api().delete(TOPOLOGY).orThrow();
      JOBS.await(
          "it is gone",
          () -> {
            CLUSTER.api().mergePatch(TOPOLOGY, "{\"metadata\":{\"finalizers\":null}}");
            return CLUSTER.api().get(TOPOLOGY).status() == 404;
          });
      JOBS.await("the queue is inactive", () -> active("story").startsWith("TopologyNotFound"));
      JOBS.topology(ApiVersion.V1BETA1, "story", RACK, HOSTNAME);
      JOBS.job("story", "fourth", 2, 1, Map.of("podset-preferred-topology", RACK));
      JOBS.await("the next is completed", () -> JOBS.completed("story") == 3);
      assertThat(JOBS.running("story")).isEqualTo(before);
      SchedulerBeside.stop(process);
    }
  }
}
