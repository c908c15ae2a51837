package dev.sluice.cli.schedule;

import static dev.sluice.cli.schedule.PlacedJobs.HOSTNAME;
import static dev.sluice.cli.schedule.PlacedJobs.RACK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A hall of simulated nodes, one block of racks, in which Jobs are placed by topology while leaders
 * are killed and nodes come and go. docs/concepts/topology.md tells how to ask for a larger hall
 * and more Jobs and kills than these few.
 */
@FullTier
@NeedsControlPlane
@Timeout(2400)
class HallE2E {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String BLOCK = "example.com/block";
  private static final int RACKS = Integer.getInteger("topology.racks", 4);
  private static final int NODES = Integer.getInteger("topology.nodes", 8);
  private static final int JOBS = Integer.getInteger("topology.jobs", 15);
  private static final int KILLS = Integer.getInteger("topology.kills", 2);
  private static final int CPU = 96;

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static final PlacedJobs HALL = new PlacedJobs(CLUSTER);

  /** The rack of a node such as {@code hall-3-7}. */
  static String rack(String node) {
    return "r" + node.split("-", -1)[1];
  }

  private static void createNode(String name) {
    HALL.node(name, "hall", rack(name), CPU);
  }

  private static String anyNode(Random random) {
    return "hall-" + random.nextInt(RACKS) + "-" + random.nextInt(NODES);
  }

  private static void createJob(int number) {
    Map<String, String> asked =
        switch (number % 5) {
          case 0 -> Map.of("podset-required-topology", RACK);
          case 1 -> Map.of("podset-preferred-topology", RACK);
          case 2 ->
              Map.of(
                  "podset-required-topology",
                  BLOCK,
                  "podset-slice-required-topology",
                  RACK,
                  "podset-slice-size",
                  "4");
          case 3 -> Map.of("podset-required-topology", HOSTNAME);
          default -> Map.of("podset-unconstrained-topology", "true");
        };
    HALL.job("hall", "job-" + number, pods(number), number % 5 == 3 ? 24 : 40, asked);
  }

  private static int pods(int job) {
    return job % 5 == 3 ? 4 : 8;
  }

  /** The node goes, with nothing else, and comes back after a moment. */
  private static void blink(String node) {
    CLUSTER.api().delete("/api/v1/nodes/" + node).orThrow();
    Poll.until(Duration.ofMillis(500), PAUSE, () -> false);
    createNode(node);
  }

  /** The node dies with all that runs there, and another one of its name comes soon. */
  private static void die(String node) {
    CLUSTER.api().delete("/api/v1/nodes/" + node).orThrow();
    for (JsonNode pod : HALL.pods("hall")) {
      boolean ended = pod.at("/status/phase").asText().equals("Succeeded");
      if (pod.at("/spec/nodeName").asText().equals(node) && !ended) {
        fail(pod);
      }
    }
    Poll.until(Duration.ofSeconds(1), PAUSE, () -> false);
    createNode(node);
  }

  /** Ends the pod; refused where it has ended meanwhile. */
  private static void fail(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    CLUSTER
        .api()
        .mergePatch(
            "/api/v1/namespaces/hall/pods/" + metadata.path("name").asText() + "/status",
            "{\"metadata\":{\"resourceVersion\":%s},\"status\":{\"phase\":\"Failed\"}}"
                .formatted(metadata.path("resourceVersion")));
  }

  /** Waits for as long as it gets on. */
  private static void awaitCompleted(long jobs) {
    for (long seen = completed(); seen < jobs; seen = completed()) {
      long before = seen;
      HALL.await("more are completed than " + before, () -> completed() > before);
    }
  }

  private static long completed() {
    return HALL.completed("hall");
  }

  @Test
  void jobsLandAsAssignedWhoeverIsKilledAndWhicheverNodesComeAndGo() throws IOException {
    HALL.topology(ApiVersion.HUB, "hall", BLOCK, RACK, HOSTNAME);
    for (int i = 0; i < RACKS * NODES; i++) {
      createNode("hall-" + i / NODES + "-" + i % NODES);
    }
    HALL.queue("hall", "hall");
    Random random = new Random(Long.getLong("topology.seed", 8));
    long began = System.nanoTime();
    int pods = 0;
    SluiceProcess leader = HALL.schedule();
    SluiceProcess standby = HALL.schedule();
    try (var audit = new PlacementAudit(CLUSTER.api(), "hall")) {
      for (int kill = 0; kill <= KILLS; kill++) {
        int first = kill * JOBS / (KILLS + 1);
        int next = (kill + 1) * JOBS / (KILLS + 1);
        for (int i = first; i < next; i++) {
          createJob(i);
          pods += pods(i);
        }
        awaitCompleted(first + random.nextInt(Math.max(1, (next - first) / 2)));
        blink(anyNode(random));
        die(anyNode(random));
        if (kill < KILLS) {
          leader.kill();
          leader = standby;
          standby = HALL.schedule();
        }
      }
      awaitCompleted(JOBS);
      HALL.await("the audit has seen all", audit::isUpToDate);

      var verdict = PlacementLaws.judge(audit.history(), CPU, HallE2E::rack);
      System.out.printf(
          "hall: %d nodes, %d jobs of %d pods in %d s, %d kills, %d revisions seen; %s%n",
          RACKS * NODES,
          JOBS,
          pods,
          (System.nanoTime() - began) / 1_000_000_000,
          KILLS,
          audit.history().size(),
          verdict);
      assertThat(verdict.breaches()).isEmpty();
      assertThat(audit.missed()).isEmpty();
      assertThat(verdict.late()).isEmpty();
      assertThat(verdict.bound()).isGreaterThanOrEqualTo(pods);
    } finally {
      leader.kill();
      standby.kill();
    }
  }
}
