package dev.sluice.quota.decision;

import dev.sluice.quota.amount.FlavorResource;
import java.time.Instant;

/** An event that re-opens a "not now". */
public sealed interface WakeUp {
  /** Some of it is released in the tree with that root, or a quota or limit of it there changes. */
  record QuotaReleased(String root, FlavorResource pair) implements WakeUp {}

  /** The cohorts above the queue, or their places in the tree, change. */
  record TreeChanged(String root) implements WakeUp {}

  /** The ClusterQueue changes, comes or becomes active. */
  record ClusterQueueChanged(String name) implements WakeUp {}

  /** The LocalQueue changes or comes. */
  record LocalQueueChanged(String namespace, String name) implements WakeUp {}

  /** The labels of the namespace or its limits change, or it comes. */
  record NamespaceChanged(String name) implements WakeUp {}

  /** The flavor changes or comes. */
  record FlavorChanged(String name) implements WakeUp {}

  /** There is more room for pods in the domains of the flavor. */
  record RoomChanged(String flavor) implements WakeUp {}

  /** The time is reached. */
  record TimeReached(Instant time) implements WakeUp {}

  /** The workload itself changes: its spec, checks, gates or reclaimable pods. */
  record WorkloadChanged() implements WakeUp {}

  /** The next cycle; nothing has to happen before. */
  record NextCycle() implements WakeUp {}
}
