package dev.sluice.cli.schedule;

import static dev.sluice.cli.schedule.PlacedJobs.HOSTNAME;
import static dev.sluice.cli.schedule.PlacedJobs.RACK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.Shell;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Nodes that fail below Jobs that are placed by topology. {@code -Dtopology.blink=30} lets a node
 * blink for longer.
 */
@FullTier
@NeedsControlPlane
@Timeout(1200)
class FailedNodeE2E {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int BLINK_SECONDS = Integer.getInteger("topology.blink", 3);

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static final PlacedJobs JOBS = new PlacedJobs(CLUSTER);

  private static void ready(String node, boolean yes) {
    CLUSTER
        .api()
        .mergePatch(
            "/api/v1/nodes/" + node + "/status",
            """
            {"status":{"conditions":[{"type":"Ready","status":"%s","reason":"Test","message":"",
            "lastHeartbeatTime":"%2$s","lastTransitionTime":"%2$s"}]}}\
            """
                .formatted(yes ? "True" : "False", Instant.now().truncatedTo(ChronoUnit.SECONDS)))
        .orThrow();
  }

  /** Holds a part of the cluster, or lets it go on. */
  private static void signal(Part part, String signal) throws IOException, InterruptedException {
    Shell.signal(CLUSTER.controlPlane().pid(part).orElseThrow(), signal);
  }

  private static void blink(String node) throws IOException, InterruptedException {
    signal(Part.KWOK, "STOP");
    ready(node, false);
    Poll.until(Duration.ofSeconds(BLINK_SECONDS), PAUSE, () -> false);
  }

  private static void comeBack(String node) throws IOException, InterruptedException {
    ready(node, true);
    signal(Part.KWOK, "CONT");
  }

  /** The node dies with all that runs there. */
  private static void fail(String namespace, String node) {
    CLUSTER.api().delete("/api/v1/nodes/" + node).orThrow();
    for (JsonNode pod : JOBS.pods(namespace)) {
      if (pod.at("/spec/nodeName").asText().equals(node)) {
        String name = pod.at("/metadata/name").asText();
        CLUSTER
            .api()
            .mergePatch(
                "/api/v1/namespaces/" + namespace + "/pods/" + name + "/status",
                "{\"status\":{\"phase\":\"Failed\"}}");
      }
    }
  }

  @Test
  void aFailedNodeIsReplacedAndOneThatOnlyBlinksChangesNothing()
      throws IOException, InterruptedException {
    JOBS.topology(ApiVersion.V1BETA2, "falls", RACK, HOSTNAME);
    for (String name : List.of("falls-1", "falls-2", "falls-3")) {
      JOBS.node(name, "falls", "r", 4);
    }
    JOBS.node("falls-4", "falls", "other", 4);
    JOBS.queue("falls", "falls");
    try (SluiceProcess process = JOBS.schedule()) {
      JOBS.job(
          "falls",
          "lasting",
          2,
          3,
          Map.of("podset-required-topology", RACK, "simulated/run-forever", "true"));
      JOBS.await("both run", () -> JOBS.running("falls").size() == 2);
      Map<String, Integer> before = JOBS.places("falls");
      assertThat(before).hasSize(2).isEqualTo(JOBS.running("falls"));
      String first = before.keySet().iterator().next();

      // it blinks
      blink(first);
      JsonNode blinking = JOBS.workloads("falls").getFirst();
      comeBack(first);
      assertThat(blinking.path("status").has("unhealthyNodes")).isFalse();
      assertThat(JOBS.places("falls")).isEqualTo(before).isEqualTo(JOBS.running("falls"));

      // it dies: the pods that are lost go where the others are
      fail("falls", first);
      JOBS.await(
          "it is replaced",
          () -> JOBS.places("falls").size() == 2 && !JOBS.places("falls").containsKey(first));
      JOBS.await("both run there", () -> JOBS.running("falls").equals(JOBS.places("falls")));
      assertThat(JOBS.places("falls")).doesNotContainKey("falls-4");
      assertThat(JOBS.workloads("falls").getFirst().path("status").has("unhealthyNodes")).isFalse();

      // another one dies: there is no room left in the rack
      fail("falls", JOBS.places("falls").keySet().iterator().next());
      JOBS.await(
          "it gives way",
          () ->
              JOBS.workloads("falls")
                  .getFirst()
                  .at("/status/conditions")
                  .toString()
                  .contains("NodeFailures"));
      JOBS.node(first, "falls", "r", 4);
      JOBS.await(
          "both run again in the rack",
          () ->
              JOBS.running("falls").size() == 2
                  && JOBS.running("falls").equals(JOBS.places("falls")));
      SchedulerBeside.stop(process);
    } finally {
      signal(Part.KWOK, "CONT");
    }
  }

  @Test
  void aNodeThatBlinksBeforePodsHaveReachedItFailsNone() throws IOException, InterruptedException {
    JOBS.topology(ApiVersion.V1BETA2, "waits", HOSTNAME);
    JOBS.node("waits-1", "waits", "r", 4);
    JOBS.queue("waits", "waits");
    try (SluiceProcess process = JOBS.schedule()) {
      signal(Part.KUBE_SCHEDULER, "STOP");
      JOBS.job(
          "waits",
          "early",
          2,
          1,
          Map.of("podset-required-topology", HOSTNAME, "simulated/run-forever", "true"));
      JOBS.await("both have their place", () -> sent("waits", "waits-1") == 2);

      blink("waits-1");
      List<JsonNode> blinking = JOBS.pods("waits");
      comeBack("waits-1");
      signal(Part.KUBE_SCHEDULER, "CONT");

      assertThat(blinking)
          .hasSize(2)
          .allSatisfy(pod -> assertThat(pod.at("/status/phase").asText()).isEqualTo("Pending"));
      JOBS.await("both run", () -> JOBS.running("waits").equals(Map.of("waits-1", 2)));
      assertThat(JOBS.pods("waits")).extracting(FailedNodeE2E::uid).isEqualTo(uids(blinking));
      SchedulerBeside.stop(process);
    } finally {
      signal(Part.KWOK, "CONT");
      signal(Part.KUBE_SCHEDULER, "CONT");
    }
  }

  /** How many pods are bound to the node, whether it has them or not. */
  private static long sent(String namespace, String node) {
    return JOBS.pods(namespace).stream().filter(pod -> Places.host(pod).equals(node)).count();
  }

  private static List<String> uids(List<JsonNode> pods) {
    return pods.stream().map(FailedNodeE2E::uid).toList();
  }

  private static String uid(JsonNode pod) {
    return pod.at("/metadata/uid").asText();
  }
}
