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
import java.io.IOException;
import java.util.ArrayList;
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
@Timeout(1200)
class MultiKueueKillE2E {
  private static final String HOME = "sluice-home";
  private static final String QUEUE = "shared";
  private static final long SEED = 20261124;
  private static final int KILLS = Tier.number("sluice.test.multikueueKills", 2, 6);

  @RegisterExtension private static final OwnCluster MANAGER = OwnCluster.ofControllers();
  @RegisterExtension private static final OwnCluster A = OwnCluster.ofControllers();
  @RegisterExtension private static final OwnCluster B = OwnCluster.ofControllers();

  private static final List<AutoCloseable> OPEN = new ArrayList<>();

  /** Where each Job was let run, by its name: worker and uid. */
  private static final Map<String, Set<String>> RUNS = new ConcurrentHashMap<>();

  private static final AtomicInteger REVISIONS = new AtomicInteger();
  private static Fleet fleet;
  private static SchedulerBeside manager;

  @BeforeAll
  static void clusters() {
    fleet = new Fleet(HOME, MANAGER, A, B);
    fleet.connect();
    Configuration plain = Configuration.defaults(HOME);
    fleet.workers.forEach(
        (name, cluster) -> {
          OPEN.addAll(Fleet.scheduler(cluster, plain));
          OPEN.add(
              new WatchedRevisions(
                  cluster.api(),
                  List.of("/apis/batch/v1/jobs", "/apis/kueue.x-k8s.io/v1beta2/workloads"),
                  (collection, object, gone) -> seen(name, collection, object)));
          fleet.workerQueue(name, QUEUE);
        });
    fleet.managerQueue(QUEUE);
    manager = new SchedulerBeside(MANAGER, "namespace: " + HOME + "\n");
  }

  private static void seen(String worker, String collection, JsonNode object) {
    REVISIONS.incrementAndGet();
    if (collection.endsWith("/jobs") && !object.at("/spec/suspend").asBoolean()) {
      RUNS.computeIfAbsent(object.at("/metadata/name").asText(), _ -> ConcurrentHashMap.newKeySet())
          .add(worker + " " + object.at("/metadata/uid").asText());
    }
  }

  @AfterAll
  static void theSchedulersEnd() throws Exception {
    manager.kill();
    for (AutoCloseable open : OPEN.reversed()) {
      open.close();
    }
  }

  /** Kills the manager's scheduler once the workers have seen so many more changes. */
  private static void killAfter(int revisions) throws IOException {
    int until = REVISIONS.get() + revisions;
    manager.start();
    fleet.await("the workers see changes", () -> REVISIONS.get() >= until || areAllRunning());
    manager.kill();
  }

  private static List<String> jobs() {
    return IntStream.range(0, KILLS).mapToObj(it -> "killed-" + it).toList();
  }

  private static boolean areAllRunning() {
    return jobs().stream()
        .allMatch(
            it -> {
              String worker = fleet.chosen(it);
              return !worker.isEmpty()
                  && fleet.api(worker).get(Fleet.job(it)).json().at("/status/active").asInt() == 1;
            });
  }

  private static boolean areAllFinished() {
    return jobs().stream()
        .allMatch(
            job ->
                fleet
                    .workload(job)
                    .filter(it -> ApiClient.hasCondition(it, "Finished"))
                    .isPresent());
  }

  @Test
  void eachJobRunsOnceAndLeavesNothingHoweverOftenItsManagerIsKilled() throws IOException {
    Random random = new Random(SEED);
    jobs().forEach(it -> fleet.createJob(it, QUEUE));
    for (int i = 0; i < KILLS; i++) {
      killAfter(1 + random.nextInt(5));
    }
    manager.start();
    fleet.await("all run", MultiKueueKillE2E::areAllRunning);
    manager.kill();

    jobs().forEach(it -> fleet.succeed(fleet.chosen(it), it));
    for (int i = 0; i < KILLS / 2; i++) {
      int until = REVISIONS.get() + 1 + random.nextInt(6);
      manager.start();
      fleet.await("it goes on", () -> REVISIONS.get() >= until || areAllFinished());
      manager.kill();
    }
    manager.start();
    fleet.await("all are finished", MultiKueueKillE2E::areAllFinished);
    jobs().forEach(fleet::leavesNothingElsewhere);

    Map<String, Set<String>> runs = new TreeMap<>(RUNS);
    assertThat(runs.keySet()).containsExactlyElementsOf(jobs().stream().sorted().toList());
    assertThat(runs.values()).as("%s", runs).allMatch(it -> it.size() == 1);
  }
}
