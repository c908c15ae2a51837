package dev.sluice.cli.schedule;

import static dev.sluice.cli.schedule.PlacedJobs.HOSTNAME;
import static dev.sluice.cli.schedule.PlacedJobs.RACK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topologies and flavors that are deleted, recreated and changed while Jobs use them. */
@FullTier
@NeedsControlPlane
@Timeout(1200)
class TopologyChangesE2E {
  private static final String BLOCK = "example.com/block";
  private static final String TOPOLOGY = Kueue.path(ApiKind.TOPOLOGY, ApiVersion.HUB, "churn");
  private static final String FLAVOR = Kueue.path(ApiKind.RESOURCE_FLAVOR, ApiVersion.HUB, "churn");
  private static final int CPU = 96;

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static final PlacedJobs JOBS = new PlacedJobs(CLUSTER);

  private static String active() {
    String path = Kueue.path(ApiKind.CLUSTER_QUEUE, ApiVersion.HUB, "churn");
    for (JsonNode condition : CLUSTER.api().get(path).orThrow().json().at("/status/conditions")) {
      if (condition.path("type").asText().equals("Active")) {
        return condition.path("reason").asText() + ": " + condition.path("message").asText();
      }
    }
    return "";
  }

  /** Deletes an object that others refer to, and removes its finalizers. */
  private static void force(String path) {
    CLUSTER.api().delete(path).orThrow();
    JOBS.await(
        path + " is gone",
        () -> {
          CLUSTER.api().mergePatch(path, "{\"metadata\":{\"finalizers\":null}}");
          return CLUSTER.api().get(path).status() == 404;
        });
  }

  private static void job(String queue, String name) {
    JOBS.job(queue, name, 2, 40, Map.of("podset-required-topology", RACK));
  }

  /** Breaks something while jobs flow: one queue says what is wrong, and the other one goes on. */
  private static void broken(int round, Runnable deed, String sentence, Runnable mending) {
    for (int i = 0; i < 3; i++) {
      job("churn", "before-" + round + "-" + i);
    }
    deed.run();
    JOBS.await(sentence + ", not " + active(), () -> active().contains(sentence));
    job("churn", "during-" + round);
    job("calm", "during-" + round);
    JOBS.await("the other queue goes on", () -> JOBS.completed("calm") == round + 1);
    mending.run();
    JOBS.await("it goes on", () -> JOBS.completed("churn") == 4L * (round + 1));
    JOBS.await("its queue says so", () -> active().startsWith("Ready"));
  }

  private static void setLevels(String... levels) {
    String topology = Kueue.topology(ApiVersion.HUB, "churn", levels);
    CLUSTER.api().mergePatch(TOPOLOGY, topology).orThrow();
  }

  private static void label(String node, String label) {
    CLUSTER
        .api()
        .mergePatch(
            "/api/v1/nodes/" + node, "{\"metadata\":{\"labels\":{\"%s\":\"1\"}}}".formatted(label))
        .orThrow();
  }

  @Test
  void whatIsBrokenUnderLoadStopsItsQueueAloneUntilItIsMended()
      throws IOException, InterruptedException {
    for (String name : new String[] {"churn", "calm"}) {
      JOBS.topology(ApiVersion.HUB, name, BLOCK, RACK, HOSTNAME);
      JOBS.node(name + "-0-0", name, "r0", CPU);
      JOBS.node(name + "-1-0", name, "r1", CPU);
      JOBS.queue(name, name);
    }
    try (var audit = new PlacementAudit(CLUSTER.api(), "churn");
        SluiceProcess process = JOBS.schedule()) {
      broken(
          0,
          () -> force(TOPOLOGY),
          "TopologyNotFound",
          () -> JOBS.topology(ApiVersion.HUB, "churn", RACK, HOSTNAME)); // other levels
      broken(
          1,
          () -> force(FLAVOR),
          "FlavorNotFound",
          () ->
              Kueue.create(
                      CLUSTER.api(),
                      ApiKind.RESOURCE_FLAVOR,
                      "churn",
                      "{\"nodeLabels\":{\"pool\":\"churn\"},\"topologyName\":\"churn\"}")
                  .orThrow());
      broken(
          2,
          () -> setLevels(RACK, "example.com/row", HOSTNAME),
          "Topology churn: spec.levels[1].nodeLabel example.com/row is on no node of"
              + " ResourceFlavor churn",
          () -> {
            label("churn-0-0", "example.com/row");
            label("churn-1-0", "example.com/row");
          });

      JOBS.await("the audit has seen all", audit::isUpToDate);
      assertThat(PlacementLaws.judge(audit.history(), CPU, HallE2E::rack).breaches()).isEmpty();
      assertThat(audit.missed()).isEmpty();
      SchedulerBeside.stop(process);
    }
  }
}
