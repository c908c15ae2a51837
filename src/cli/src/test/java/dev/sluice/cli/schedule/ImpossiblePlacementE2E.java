package dev.sluice.cli.schedule;

import static dev.sluice.cli.schedule.PlacedJobs.HOSTNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workloads that were stored with places that cannot be, beside Jobs that are placed. */
@FullTier
@NeedsControlPlane
@Timeout(1200)
class ImpossiblePlacementE2E {
  private static final String POOL = "hall";
  private static final String SLICE =
      """
      {"domainCount":%d,"valuesPerLevel":[{"universal":"hall-1"}],"podCounts":{"universal":%d}}\
      """;

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static final PlacedJobs JOBS = new PlacedJobs(CLUSTER);

  private static String path(String name) {
    return Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, POOL) + "/" + name;
  }

  /** A Workload of pods that take nothing of the quota. */
  private static void create(String name, int pods) {
    Kueue.create(
            CLUSTER.api(),
            ApiKind.WORKLOAD,
            POOL,
            name,
            """
            {"queueName":"main","active":true,"podSets":[{"name":"main","count":%d,
            "topologyRequest":{"required":"%s"},"template":{"spec":{"restartPolicy":"Never",
            "containers":[{"name":"c","image":"i"}]}}}]}\
            """
                .formatted(pods, HOSTNAME))
        .orThrow();
  }

  private static void admit(String name, int pods, String slices) {
    String time = "2026-01-01T00:00:00Z";
    String condition =
        """
        {"type":"%s","status":"True","reason":"r","message":"","lastTransitionTime":"%s"}\
        """;
    write(
        name,
        "\"conditions\":[%s,%s],%s"
            .formatted(
                condition.formatted("QuotaReserved", time),
                condition.formatted("Admitted", time),
                admission(pods, slices)));
  }

  /** The API server goes on asking a webhook for a moment after it was removed. */
  private static boolean admitsWhatCannotBe() {
    try {
      admit("pods", 2, SLICE.formatted(1, Integer.MAX_VALUE));
      return true;
    } catch (ControlPlaneException _) {
      return false;
    }
  }

  private static String admission(int pods, String slices) {
    return """
    "admission":{"clusterQueue":"%s","podSetAssignments":[{"name":"main","count":%d,
    "topologyAssignment":{"levels":["%s"],"slices":[%s]}}]}\
    """
        .formatted(POOL, pods, HOSTNAME, slices);
  }

  private static void write(String name, String status) {
    CLUSTER.api().mergePatch(path(name) + "/status", "{\"status\":{" + status + "}}").orThrow();
  }

  /** The message of its condition; empty where it has none. */
  private static String told(String name) {
    for (JsonNode it : CLUSTER.api().get(path(name)).orThrow().json().at("/status/conditions")) {
      if (it.path("type").asText().equals("sluice.dev/ImpossiblePlacement")) {
        return it.path("message").asText();
      }
    }
    return "";
  }

  @Test
  void jobsArePlacedAndRunBesideThemAndTheyAreToldUntilTheyAreMended()
      throws IOException, InterruptedException {
    JOBS.topology(ApiVersion.HUB, POOL, HOSTNAME);
    JOBS.queue(POOL, POOL);
    JOBS.node("hall-1", POOL, "r", 4);
    create("pods", 2);
    assertThatThrownBy(() -> admit("pods", 2, SLICE.formatted(1, Integer.MAX_VALUE)))
        .as("refused at admission")
        .hasMessageContaining("must have places for the 2 pods of the assignment");
    CLUSTER.stopValidating(); // as before there was such a rule
    JOBS.await("the API server asks no more", ImpossiblePlacementE2E::admitsWhatCannotBe);
    create("domains", 100_000_000);
    admit(
        "domains",
        100_000_000,
        String.join(",", Collections.nCopies(1000, SLICE.formatted(100_000, 1))));
    try (SluiceProcess process = JOBS.schedule()) {
      JOBS.job(POOL, "first", 4, 1, Map.of("podset-required-topology", HOSTNAME));
      JOBS.job(POOL, "second", 4, 1, Map.of("podset-required-topology", HOSTNAME));
      JOBS.await("both Jobs are completed", () -> JOBS.completed(POOL) == 2);
      JOBS.await("each is told", () -> !told("pods").isEmpty() && !told("domains").isEmpty());
      assertThat(told("pods"))
          .startsWith(
              "status.admission.podSetAssignments[0].topologyAssignment.slices: 2147483647: must"
                  + " have places for the 2 pods of the assignment");
      assertThat(told("domains")).contains("100000000: must stand for at most 100000 domains");

      write("pods", admission(2, SLICE.formatted(1, 2)));
      JOBS.await("nothing is told any more", () -> told("pods").isEmpty());
      SchedulerBeside.stop(process);
    }
  }
}
