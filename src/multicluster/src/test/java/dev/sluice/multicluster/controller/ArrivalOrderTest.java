package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Orders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever comes first to a worker, each Workload runs there. The worker is deaf as Kueue can be:
 * it looks at a Workload only when that changes, and forgets it if its queue is not active then.
 */
@Timeout(300)
class ArrivalOrderTest {
  private static final Duration AMPLE = Duration.ofMinutes(2);
  private static final long SEED = Long.getLong("sluice.test.arrivalSeed", 20261125);
  private static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";

  /** What comes to the worker, beside the Job to the manager. */
  private enum Part {
    NAMESPACE,
    CLUSTER_QUEUE,
    LOCAL_QUEUE,
    JOB
  }

  @TempDir private Path folder;
  private InMemoryFleet fleet;
  private MemoryApiServer worker;

  /** The versions of the copies that the worker has looked at. */
  private final Map<String, String> looked = new ConcurrentHashMap<>();

  @BeforeEach
  void aManagerWithAWorker() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a");
    fleet.connect("a");
    fleet.awaitActive("a", "Connected");
    worker = fleet.worker("a");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private static List<List<Part>> orders() {
    return Orders.of(List.of(Part.values()));
  }

  private void bring(Part part, String name) {
    MemoryObjects there = worker.objects();
    switch (part) {
      case NAMESPACE ->
          there.put("/api/v1/namespaces", "{'metadata': {'name': '%s'}}".formatted(name));
      case CLUSTER_QUEUE ->
          there.put(
              KUEUE + "clusterqueues",
              """
              {'metadata': {'name': '%s', 'creationTimestamp': '2026-11-24T09:00:00Z'},
               'status': {'conditions': [{'type': 'Active', 'status': 'True', 'message': '',
                'lastTransitionTime': '2026-11-24T09:00:00Z'}]}}\
              """
                  .formatted(name));
      case LOCAL_QUEUE ->
          there.put(
              KUEUE + "namespaces/" + name + "/localqueues",
              """
              {'metadata': {'name': 'lq', 'namespace': '%1$s',
               'creationTimestamp': '2026-11-24T09:00:00Z'}, 'spec': {'clusterQueue': '%1$s'}}\
              """
                  .formatted(name));
      case JOB -> fleet.job(name, "j");
    }
  }

  /** The worker looks at what changed since, and admits what has an active queue. */
  private void work(List<String> names) {
    for (String name : names) {
      String path = workload(name);
      worker
          .objects()
          .find(path)
          .ifPresent(
              copy -> {
                String version = copy.at("/metadata/resourceVersion").asText();
                boolean isNew = !version.equals(looked.put(name, version));
                if (isNew && hasQueue(name) && !copy.at("/status/conditions").isArray()) {
                  worker.objects().edit(path, ArrivalOrderTest::admit);
                }
              });
    }
  }

  private static String workload(String name) {
    return KUEUE + "namespaces/" + name + "/workloads/j";
  }

  private boolean hasQueue(String name) {
    return worker.objects().find(KUEUE + "clusterqueues/" + name).isPresent()
        && worker.objects().find(KUEUE + "namespaces/" + name + "/localqueues/lq").isPresent();
  }

  private static void admit(ObjectNode workload) {
    ArrayNode conditions = workload.withObjectProperty("status").putArray("conditions");
    for (String type : List.of("QuotaReserved", "Admitted")) {
      conditions
          .addObject()
          .put("type", type)
          .put("status", "True")
          .put("reason", type)
          .put("message", "")
          .put("lastTransitionTime", "2026-11-24T09:00:00Z");
    }
  }

  private boolean runs(String name) {
    return worker.objects().find("/apis/batch/v1/namespaces/" + name + "/jobs/j").isPresent();
  }

  @FullTier
  @Test
  void inEachOfTheOrdersADeafWorkerRunsTheJob() {
    List<List<Part>> orders = orders();
    List<String> names =
        IntStream.range(0, orders.size()).mapToObj("order-%02d"::formatted).toList();
    Random random = new Random(SEED);
    for (int step = 0; step < Part.values().length; step++) {
      List<Integer> turns = new ArrayList<>(IntStream.range(0, names.size()).boxed().toList());
      Collections.shuffle(turns, random);
      for (int turn : turns) {
        bring(orders.get(turn).get(step), names.get(turn));
        work(names);
      }
    }

    await()
        .atMost(AMPLE)
        .untilAsserted(
            () -> {
              work(names);
              assertThat(names.stream().filter(it -> !runs(it)))
                  .as("orders without a Job on the worker, seed %d", SEED)
                  .isEmpty();
            });
  }
}
