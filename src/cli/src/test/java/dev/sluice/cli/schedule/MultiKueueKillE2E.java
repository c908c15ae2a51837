package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The scheduler of a manager is killed between any two steps, again and again. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(3600)
class MultiKueueKillE2E {
  private static final String QUEUE = "shared";
  private static final long SEED = 20261124;
  private static final int KILLS = Tier.number("sluice.test.multikueueKills", 2, 4);
  private static final Duration BOUND = Fleet.AMPLE.plusSeconds(5L * KILLS);

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  /** Where each Job was let run, by its name: worker and uid. */
  private static final Map<String, Set<String>> RUNS = new ConcurrentHashMap<>();

  private static final AtomicInteger REVISIONS = new AtomicInteger();
  private static SchedulerBeside manager;

  @BeforeAll
  static void clusters() {
    Configuration plain = Configuration.defaults(Fleet.HOME);
    FLEET.workers.forEach(
        (name, cluster) -> {
          FLEET.opened(InProcessScheduler.of(cluster, plain));
          FLEET.opened(
              List.of(
                  new WatchedRevisions(
                      cluster.api(),
                      List.of("/apis/batch/v1/jobs", "/apis/kueue.x-k8s.io/v1beta2/workloads"),
                      (collection, object, gone) -> seen(name, collection, object))));
        });
    FLEET.queueOf(KILLS, QUEUE);
    manager = new SchedulerBeside(FLEET.manager, "namespace: " + Fleet.HOME + "\n");
  }

  private static void seen(String worker, String collection, JsonNode object) {
    REVISIONS.incrementAndGet();
    if (collection.endsWith("/jobs") && !object.at("/spec/suspend").asBoolean()) {
      RUNS.computeIfAbsent(object.at("/metadata/name").asText(), _ -> ConcurrentHashMap.newKeySet())
          .add(worker + " " + object.at("/metadata/uid").asText());
    }
  }

  @AfterAll
  static void theSchedulerEnds() {
    manager.kill();
  }

  /** Kills the manager's scheduler once the workers have seen so many more changes. */
  private static void killAfter(int revisions) throws IOException {
    int until = REVISIONS.get() + revisions;
    manager.start();
    FLEET.await("the workers see changes", () -> REVISIONS.get() >= until || areAllRunning());
    manager.kill();
  }

  private static List<String> jobs() {
    return IntStream.range(0, KILLS).mapToObj(it -> "killed-" + it).toList();
  }

  private static boolean areAllRunning() {
    return jobs().stream()
        .allMatch(
            it -> {
              String worker = FLEET.chosen(it);
              return !worker.isEmpty()
                  && FLEET.api(worker).get(Fleet.job(it)).json().at("/status/active").asInt() == 1;
            });
  }

  private static boolean areAllFinished() {
    return jobs().stream()
        .allMatch(
            job ->
                FLEET
                    .workload(job)
                    .filter(it -> ApiClient.hasCondition(it, "Finished"))
                    .isPresent());
  }

  @Test
  void eachJobRunsOnceAndLeavesNothingHoweverOftenItsManagerIsKilled() throws IOException {
    Random random = new Random(SEED);
    jobs().forEach(it -> FLEET.createJob(it, QUEUE));
    for (int i = 0; i < KILLS; i++) {
      killAfter(1 + random.nextInt(5));
    }
    manager.start();
    FLEET.await(BOUND, "all run", MultiKueueKillE2E::areAllRunning);
    manager.kill();

    jobs().forEach(it -> FLEET.succeed(FLEET.chosen(it), it));
    for (int i = 0; i < KILLS / 2; i++) {
      int until = REVISIONS.get() + 1 + random.nextInt(6);
      manager.start();
      FLEET.await("it goes on", () -> REVISIONS.get() >= until || areAllFinished());
      manager.kill();
    }
    manager.start();
    FLEET.await(BOUND, "all are finished", MultiKueueKillE2E::areAllFinished);
    jobs().forEach(FLEET::leavesNothingElsewhere);

    Map<String, Set<String>> runs = new TreeMap<>(RUNS);
    assertThat(runs.keySet()).containsExactlyElementsOf(jobs().stream().sorted().toList());
    assertThat(runs.values()).as("%s", runs).allMatch(it -> it.size() == 1);
  }
}
