package dev.sluice.cli.schedule;

import static dev.sluice.cli.schedule.PlacedJobs.HOSTNAME;
import static dev.sluice.cli.schedule.PlacedJobs.RACK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Job that grows and shrinks while topology-aware scheduling places its pods. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class ElasticPlacementE2E {
  private static final String POOL = "growing";
  private static final Map<String, String> FOREVER =
      Map.of("podset-unconstrained-topology", "true", "simulated/run-forever", "true");

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();

  private static final PlacedJobs JOBS =
      new PlacedJobs(
          CLUSTER,
          """
          featureGates:
            ElasticJobsViaWorkloadSlicesWithTAS: true
          """);

  private static Set<String> names() {
    return JOBS.pods(POOL).stream()
        .map(pod -> pod.at("/metadata/name").asText())
        .collect(Collectors.toSet());
  }

  private static void awaitPods(Map<String, Integer> hosts) {
    JOBS.await(hosts + " run", () -> JOBS.running(POOL).equals(hosts));
  }

  @Test
  void itsNewPodsArePlacedBesideTheOthersWhichStayAndTheLastPlacesGoToOthersWhenItShrinks()
      throws IOException, InterruptedException {
    JOBS.topology(ApiVersion.HUB, "t", RACK, HOSTNAME);
    JOBS.queue(POOL, "t");
    JOBS.node("g-1", POOL, "r1", 2);
    JOBS.node("g-2", POOL, "r1", 2);
    JOBS.node("g-3", POOL, "r2", 4);
    Set<String> first;
    try (SluiceProcess process = JOBS.schedule()) {
      JOBS.elasticJob(POOL, "j", 2, 1, FOREVER);
      awaitPods(Map.of("g-1", 2));
      first = names();
      JOBS.scale(POOL, "j", 3);
      awaitPods(Map.of("g-1", 2, "g-2", 1)); // if all three were placed again, they would be on g-3
      process.kill();
    }
    JOBS.scale(POOL, "j", 6);
    try (SluiceProcess process = JOBS.schedule()) {
      awaitPods(Map.of("g-1", 2, "g-2", 1, "g-3", 3)); // g-3 is the first that holds three more
      assertThat(names()).containsAll(first);
      assertThat(JOBS.workloads(POOL))
          .filteredOn(it -> !ApiClient.hasCondition(it, "Finished"))
          .singleElement()
          .satisfies(it -> assertThat(pods(it)).isEqualTo(6));
      JOBS.job(POOL, "large", 3, 1, Map.of("podset-required-topology", HOSTNAME));
      JOBS.await(
          "the other Job waits for room",
          () -> JOBS.workloads(POOL).toString().contains("holds 1 of 3 pods"));

      JOBS.scale(POOL, "j", 1);

      JOBS.await("it has its room", () -> JOBS.completed(POOL) == 1);
      SchedulerBeside.stop(process);
    }
  }

  private static int pods(JsonNode workload) {
    return Places.places(workload).values().stream().mapToInt(it -> it).sum();
  }
}
