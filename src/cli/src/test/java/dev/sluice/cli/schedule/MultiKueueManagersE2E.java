package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two managers with the default origin send Jobs to the same workers. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(3600)
class MultiKueueManagersE2E {
  private static final String QUEUE = "shared";
  private static final int JOBS = Tier.number("sluice.test.multikueueManagers", 2, 10);

  /**
   * Then a worker that runs one of two Jobs is left out for the other one, for a minute or more.
   */
  private static final boolean HAVE_SAME_NAMES =
      Boolean.getBoolean("sluice.test.multikueueSameNames");

  private static final Duration BOUND =
      Fleet.AMPLE.plusSeconds(JOBS * (HAVE_SAME_NAMES ? 12L : 3L));

  @RegisterExtension private static final Fleet FLEET = new Fleet();
  @RegisterExtension private static final OwnCluster OTHER = OwnCluster.ofControllers();

  /** Where each Job was let run, by its name: worker and uid. */
  private static final Map<String, Set<String>> RUNS = new ConcurrentHashMap<>();

  private static final Configuration PLAIN = Configuration.defaults(Fleet.HOME);

  @BeforeAll
  static void clusters() {
    FleetSetup.connect(OTHER.api(), FLEET.workers);
    FLEET.start(PLAIN);
    FLEET.openQueue(QUEUE);
    Fleet.managerQueue(OTHER.api(), QUEUE);
    FLEET.workers.forEach(
        (name, cluster) ->
            FLEET.opened(
                List.of(
                    new WatchedRevisions(
                        cluster.api(),
                        List.of("/apis/batch/v1/jobs"),
                        (_, object, _) -> seen(name, object)))));
  }

  private static void seen(String worker, JsonNode job) {
    if (!job.at("/spec/suspend").asBoolean()) {
      RUNS.computeIfAbsent(job.at("/metadata/name").asText(), _ -> ConcurrentHashMap.newKeySet())
          .add(worker + " " + job.at("/metadata/uid").asText());
    }
  }

  private static List<String> names(String manager) {
    String begin = HAVE_SAME_NAMES ? "both" : manager;
    return IntStream.range(0, JOBS).mapToObj(it -> begin + "-" + it).toList();
  }

  private static long finished(ApiClient manager) {
    return manager
        .get(Fleet.workloads())
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> ApiClient.hasCondition(it, "Finished"))
        .count();
  }

  /** Lets all Pods on the workers succeed that have not. */
  private static void work() {
    for (String worker : FLEET.workers.keySet()) {
      for (JsonNode pod : FLEET.items(worker, Fleet.pods())) {
        if (pod.at("/status/phase").asText().equals("Pending")) {
          FLEET
              .api(worker)
              .mergePatch(
                  Fleet.pods() + "/" + pod.at("/metadata/name").asText() + "/status",
                  "{\"status\":{\"phase\":\"Succeeded\"}}");
        }
      }
    }
  }

  private static boolean hasChosen(ApiClient manager) {
    return manager
        .get(Fleet.workloads())
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .anyMatch(it -> !it.at("/status/clusterName").asText("").isEmpty());
  }

  private static boolean hasWarning(ApiClient manager) {
    return manager
        .get("/api/v1/events")
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .anyMatch(it -> it.path("reason").asText().equals("OriginShared"));
  }

  @Test
  void eachJobOfBothRunsOnceThoughOneIsRestarted() throws Exception {
    List<? extends AutoCloseable> first = Fleet.manager(OTHER, PLAIN);
    names("one").forEach(it -> Fleet.createJob(FLEET.api(), it, QUEUE));
    names("two").forEach(it -> Fleet.createJob(OTHER.api(), it, QUEUE));
    FLEET.await(
        "the other one has begun", () -> finished(OTHER.api()) > 0 || hasChosen(OTHER.api()));
    for (AutoCloseable part : first.reversed()) {
      part.close();
    }
    FLEET.opened(Fleet.manager(OTHER, PLAIN));

    FLEET.await(
        BOUND,
        "all are finished",
        () -> {
          work();
          return finished(FLEET.api()) == JOBS && finished(OTHER.api()) == JOBS;
        });

    Map<String, Set<String>> runs = new TreeMap<>(RUNS);
    assertThat(runs.keySet())
        .containsExactlyElementsOf(
            Stream.concat(names("one").stream(), names("two").stream())
                .distinct()
                .sorted()
                .toList());
    int times = HAVE_SAME_NAMES ? 2 : 1;
    assertThat(runs.values()).as("%s", runs).allMatch(it -> it.size() == times);
    runs.keySet().forEach(FLEET::leavesNothingElsewhere);
    assertThat(hasWarning(FLEET.api()) || hasWarning(OTHER.api())).isTrue();
  }
}
