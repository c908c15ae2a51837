package dev.sluice.quota.cache;

import dev.sluice.quota.assign.FlavorSearchState;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.inventory.Inventory;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.tree.CohortForest;

/** The mutable parts of an engine that its caches keep up to date. For one thread. */
public record EngineParts(
    Inventory inventory,
    CohortForest forest,
    QuotaHolders holdings,
    QueueManager queueManager,
    LocalQueues localQueues,
    LocalQueueFairness fairness,
    FlavorSearchState searchState) {
  /** The parts of an empty engine. */
  public static EngineParts empty(
      EngineConfiguration configuration, TopologyCache topologies, boolean places) {
    var forest = new CohortForest();
    var localQueues = new LocalQueues();
    return new EngineParts(
        new Inventory(topologies, places, configuration.driversOfDevices()),
        forest,
        new QuotaHolders(forest),
        new QueueManager(),
        localQueues,
        new LocalQueueFairness(configuration, localQueues),
        new FlavorSearchState(configuration, forest));
  }

  /** Parts in the same state that change independently. */
  public EngineParts fork() {
    CohortForest trees = forest.fork();
    LocalQueues queues = localQueues.fork();
    return new EngineParts(
        inventory.fork(inventory.topologies().fork()),
        trees,
        holdings.fork(trees),
        queueManager.fork(),
        queues,
        fairness.fork(queues),
        searchState.fork(trees));
  }
}
