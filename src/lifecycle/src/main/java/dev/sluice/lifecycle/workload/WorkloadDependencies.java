package dev.sluice.lifecycle.workload;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.lifecycle.nodes.Health;
import dev.sluice.quota.inventory.Inactivity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The state that a Workload's lifecycle depends on; read from memory, may lag. */
public interface WorkloadDependencies {
  Optional<LocalQueue> localQueue(String namespace, String name);

  Optional<ClusterQueue> clusterQueue(String name);

  /** The value of a WorkloadPriorityClass; empty if there is none of that name. */
  Optional<Integer> priority(String workloadPriorityClass);

  /** Whether somebody was seen to edit its priority, and its class has not changed since. */
  boolean isPriorityEdited(ObjectKey workload);

  /** Whether its class was seen to change, and its priority does not have the new value yet. */
  boolean isPriorityBehind(ObjectKey workload);

  /** Why a ClusterQueue is inactive, as the engine sees it; empty for an active one. */
  List<Inactivity> inactivity(String clusterQueue);

  /**
   * Whether the engine refuses to evaluate the Workload, whatever the state of its queues: for its
   * namespace, its requests or its devices, or for a circle of Cohorts.
   */
  boolean isRefused(Workload workload);

  /**
   * The pending reason of a Workload that is equal to this one, so that the engine evaluates only
   * one.
   */
  Optional<Condition> verdictOfItsLike(Workload workload);

  /** The state of the nodes of a Workload's pods. */
  Health health(Workload workload, Instant now);
}
