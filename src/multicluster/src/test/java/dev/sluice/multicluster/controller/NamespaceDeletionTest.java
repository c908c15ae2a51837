package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A namespace with Jobs that run elsewhere is deleted on the manager: its Jobs and Workloads go in
 * any order, and nobody is left there that knows of them.
 */
@FullTier
@Timeout(240)
class NamespaceDeletionTest {
  private static final long SEED = 20261126;
  private static final String ALL_WORKLOADS = "/apis/kueue.x-k8s.io/v1beta2/workloads";

  @TempDir private Path folder;

  private static void until(Callable<Boolean> condition) {
    await().atMost(InMemoryFleet.AMPLE).until(condition);
  }

  @Test
  void nothingOfFiftyRunningJobsIsLeftOnTheWorkers() {
    try (InMemoryFleet fleet = new InMemoryFleet(folder)) {
      fleet.startConnected("a", "b");
      List<String> jobs = IntStream.range(0, 50).mapToObj("j-%02d"::formatted).toList();
      jobs.forEach(fleet::job);
      List<Schedulers> schedulers =
          List.of(
              new Schedulers(fleet, List.of("a", "b"), jobs.subList(0, 30)),
              new Schedulers(fleet, List.of("a", "b"), jobs.subList(30, 50)));
      schedulers.forEach(it -> it.areEnding = false);
      schedulers.getFirst().admitting = List.of("a");
      schedulers.getLast().admitting = List.of("b");
      until(
          () -> {
            schedulers.forEach(Schedulers::step);
            return jobs.stream().allMatch(it -> Conditions.isTrue(fleet.workload(it), "Admitted"));
          });
      List<String> paths = new ArrayList<>();
      jobs.forEach(
          it -> paths.addAll(List.of(Clusters.JOBS + "/" + it, Clusters.WORKLOADS + "/" + it)));
      Collections.shuffle(paths, new Random(SEED));
      MemoryObjects here = fleet.clusters.manager.objects();

      paths.forEach(here::remove);
      here.remove("/api/v1/namespaces/ns");

      for (String worker : List.of("a", "b")) {
        MemoryObjects there = fleet.worker(worker).objects();
        until(() -> there.count(InMemoryFleet.ALL_JOBS) == 0 && there.count(ALL_WORKLOADS) == 0);
        assertThat(fleet.worker(worker).deletions())
            .isNotEmpty()
            .allMatch(it -> it.contains("\"Background\"") && it.contains("\"uid\""));
      }
    }
  }
}
