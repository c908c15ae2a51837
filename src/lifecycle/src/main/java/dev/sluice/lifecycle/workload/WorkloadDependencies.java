package dev.sluice.lifecycle.workload;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.lifecycle.nodes.Health;
import dev.sluice.quota.inventory.Inactivity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a Workload's life depends on; answers come from memory and may lag. */
public interface WorkloadDependencies {
  Optional<LocalQueue> localQueue(String namespace, String name);

  Optional<ClusterQueue> clusterQueue(String name);

  /** The value of a WorkloadPriorityClass; empty if there is none of that name. */
  Optional<Integer> priority(String workloadPriorityClass);

  /** What keeps a ClusterQueue from taking part, as the engine sees it; empty for an active one. */
  List<Inactivity> inactivity(String clusterQueue);

  /** Why one waits that a Workload is exactly like, so that the engine need not look at both. */
  Optional<Condition> verdictOfItsLike(Workload workload);

  /** How the nodes are that a Workload's pods are placed on. */
  Health health(Workload workload, Instant now);
}
