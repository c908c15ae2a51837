package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Orders;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whatever comes first to a worker, each Job of the manager runs there. As many runs as there are
 * orders are played at the same time, each with queues of its own.
 */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(3600)
class MultiKueueOrdersE2E {
  private static final String WORKER = "a";
  private static final int RUNS = Tier.number("sluice.test.multikueueOrders", 4, 6);
  private static final long SEED = Long.getLong("sluice.test.multikueueSeed", 20261126);

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  /** What comes to the worker, beside the Job to the manager. */
  private enum Come {
    FLAVOR,
    CLUSTER_QUEUE,
    LOCAL_QUEUE,
    JOB
  }

  @BeforeAll
  static void schedulers() {
    FLEET.start(Configuration.defaults(Fleet.HOME));
  }

  private static List<List<Come>> orders() {
    return Orders.of(List.of(Come.values()));
  }

  private static void create(Come part, String name) {
    ApiClient there = FLEET.api(WORKER);
    switch (part) {
      case FLAVOR -> Kueue.create(there, RESOURCE_FLAVOR, name, "{}").orThrow();
      case CLUSTER_QUEUE ->
          Kueue.create(there, CLUSTER_QUEUE, name, Kueue.clusterQueue(name, 10)).orThrow();
      case LOCAL_QUEUE ->
          Kueue.create(there, LOCAL_QUEUE, Fleet.NAMESPACE, name, Kueue.localQueue(name)).orThrow();
      case JOB -> FLEET.createJob(name, name);
    }
  }

  /** Plays some runs at the same time, in each step in another order. */
  private static void play(List<String> names, List<List<Come>> orders, Random random) {
    names.forEach(FLEET::managerQueue);
    for (int step = 0; step < Come.values().length; step++) {
      List<Integer> turns = new ArrayList<>(IntStream.range(0, names.size()).boxed().toList());
      Collections.shuffle(turns, random);
      for (int turn : turns) {
        create(orders.get(turn).get(step), names.get(turn));
      }
    }
    names.forEach(it -> assertThat(FLEET.runs(it)).isEqualTo(WORKER));
    assertThat(FLEET.items(WORKER, Fleet.workloads()).findValues("sluice.dev/multikueue-touched"))
        .as("copies that were touched because the worker said nothing, seed %d", SEED)
        .isEmpty();
    names.forEach(it -> FLEET.succeed(WORKER, it));
    names.forEach(FLEET::finishes);
    names.forEach(FLEET::leavesNothingElsewhere);
  }

  @Test
  void inEachOrderTheJobRunsOnTheWorker() {
    Random random = new Random(SEED);
    List<List<Come>> orders = new ArrayList<>(orders());
    for (int first = 0; first < RUNS; first += orders.size()) {
      int round = first / orders.size();
      Collections.shuffle(orders, random);
      int size = Math.min(orders.size(), RUNS - first);
      List<String> names =
          IntStream.range(0, size).mapToObj(it -> "order-%d-%02d".formatted(round, it)).toList();
      play(names, orders, random);
    }
  }
}
