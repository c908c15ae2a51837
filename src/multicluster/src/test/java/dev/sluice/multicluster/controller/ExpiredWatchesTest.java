package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API server of a worker forgets where our watches were: 410, as after a compaction. */
@FullTier
@Timeout(240)
class ExpiredWatchesTest {
  private static final String ALL_WORKLOADS = "/apis/kueue.x-k8s.io/v1beta2/workloads";
  private static final List<String> JOBS =
      IntStream.range(0, 100).mapToObj("j-%02d"::formatted).toList();

  @TempDir private Path folder;

  private static void until(Callable<Boolean> condition) {
    await().atMost(InMemoryFleet.AMPLE).until(condition);
  }

  /** All of these Jobs, and their Workloads, on a cluster. */
  private static Map<String, JsonNode> objects(MemoryApiServer cluster) {
    Map<String, JsonNode> all = new TreeMap<>();
    for (String job : JOBS) {
      for (String path : List.of(Clusters.WORKLOADS + "/" + job, Clusters.JOBS + "/" + job)) {
        cluster.objects().find(path).ifPresent(it -> all.put(path, it));
      }
    }
    return all;
  }

  private static long writes(MemoryApiServer cluster) {
    return cluster.calls().stream()
        .filter(it -> !it.startsWith("GET ") && JOBS.stream().anyMatch(it::contains))
        .count();
  }

  private static int lists(MemoryApiServer worker, String collection) {
    return (int)
        worker.calls("GET " + collection).stream().filter(it -> !it.contains("watch=")).count();
  }

  @Test
  void aHundredRunningJobsAreListedAnewAndNotTouched() {
    try (InMemoryFleet fleet = new InMemoryFleet(folder)) {
      fleet.start("a");
      fleet.connect("a");
      fleet.awaitActive("a", "Connected");
      MemoryApiServer worker = fleet.worker("a");
      MemoryApiServer manager = fleet.clusters.manager;
      JOBS.forEach(fleet::job);
      Schedulers schedulers = new Schedulers(fleet, List.of("a"), JOBS);
      schedulers.areEnding = false;
      until(
          () -> {
            schedulers.step();
            return JOBS.stream().allMatch(it -> active(manager, it) == 1);
          });
      JsonNode link = fleet.active("a");
      Map<String, JsonNode> there = objects(worker);
      Map<String, JsonNode> here = objects(manager);
      long writes = writes(worker);
      int lists = lists(worker, ALL_WORKLOADS);
      int listsOfJobs = lists(worker, InMemoryFleet.ALL_JOBS);

      worker.objects().forgetHistory();
      worker.endWatches();

      until(
          () ->
              lists(worker, ALL_WORKLOADS) > lists
                  && lists(worker, InMemoryFleet.ALL_JOBS) > listsOfJobs);
      fleet.job("later");
      fleet.awaitCopy("a", "later");
      fleet.admit("a", "later"); // the watches see it
      fleet.runs("a", "later");
      assertThat(objects(worker)).isEqualTo(there).hasSize(2 * JOBS.size());
      assertThat(objects(manager)).isEqualTo(here);
      assertThat(writes(worker)).as("writes for these jobs").isEqualTo(writes);
      assertThat(fleet.active("a")).isEqualTo(link);
      assertThat(schedulers.starts()).hasSize(JOBS.size());
    }
  }

  private static int active(MemoryApiServer manager, String job) {
    return manager
        .objects()
        .find(Clusters.JOBS + "/" + job)
        .map(it -> it.at("/status/active").asInt())
        .orElse(0);
  }
}
