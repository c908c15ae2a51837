package dev.sluice.bench.engine;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * 10,000 Workloads in 1,000 ClusterQueues, of which six in ten wait. The engine was told all of it
 * and decided nothing. For one thread.
 */
final class ThousandQueues {
  static final int QUEUES = 1_000;

  /** What a ClusterQueue has of each flavor. */
  static final int NOMINAL = 3;

  static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final int RUNNING = 4;
  private static final int WAITING = 6;
  private static final List<String> FLAVORS = List.of("flavor-0", "flavor-1");

  private final int queuesOfTree;
  private final Random random;
  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final List<ObjectKey> waiting = new ArrayList<>();

  /**
   * Makes it.
   *
   * @param queuesOfTree how many ClusterQueues share quota
   */
  ThousandQueues(int queuesOfTree, Random random) {
    this.queuesOfTree = queuesOfTree;
    this.random = random;
    tell(EngineObjects.namespace());
    FLAVORS.forEach(flavor -> tell(EngineObjects.flavor(flavor)));
    for (int i = 0; i < QUEUES; i++) {
      tell(clusterQueue(i, NOMINAL));
      tell(EngineObjects.localQueue(queue(i)));
      for (int j = 0; j < RUNNING; j++) {
        String flavor = FLAVORS.get(j % FLAVORS.size());
        put(
            EngineObjects.holding(
                template(1, 2), "running-%d-%d".formatted(i, j), queue(i), flavor, NOW));
      }
      for (int j = 0; j < WAITING; j++) {
        Workload workload =
            EngineObjects.workload(
                template(2, 3), "waiting-%d-%d".formatted(i, j), queue(i), NOW.plusMillis(j));
        put(workload);
        waiting.add(ObjectKey.of(workload.metadata()));
      }
    }
  }

  QuotaEngine engine() {
    return engine;
  }

  /** One of those that wait. */
  ObjectKey anyWaiting() {
    return waiting.get(random.nextInt(waiting.size()));
  }

  /** A ClusterQueue with so much of each flavor. */
  Change clusterQueue(int number, int nominal) {
    return EngineObjects.clusterQueue(
        queue(number), "tree-" + number / queuesOfTree, FLAVORS, nominal, 2, true);
  }

  private static String queue(int number) {
    return "queue-" + number;
  }

  /** With so much cpu at least, and a priority below that bound. */
  private Workload template(int cpu, int priorities) {
    return EngineObjects.template(cpu + random.nextInt(2), random.nextInt(priorities));
  }

  private void tell(Change change) {
    engine.apply(change, NOW);
  }

  private void put(Workload workload) {
    tell(Change.upserted(ObjectKind.WORKLOAD, workload));
  }
}
