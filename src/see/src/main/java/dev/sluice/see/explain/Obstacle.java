package dev.sluice.see.explain;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.inventory.Inactivity;
import java.util.List;
import java.util.Optional;

/** What keeps a workload from being considered: itself, or its queues. */
public final class Obstacle {
  /** Why a workload is in no queue that nothing else keeps from it. */
  public static final String OF_ITS_OWN = "It waits for a backoff or a gate of its own";

  private Obstacle() {}

  /** A sentence about the workload, also where nothing can be seen that keeps it. */
  public static String sentence(Snapshot snapshot, ObjectKey key) {
    return of(snapshot, key).orElse(OF_ITS_OWN);
  }

  /** A sentence; empty where nothing keeps it that can be seen, or where it is not there. */
  public static Optional<String> of(Snapshot snapshot, ObjectKey key) {
    Workload workload = snapshot.workload(key);
    return workload == null ? Optional.empty() : of(snapshot, workload);
  }

  private static Optional<String> of(Snapshot snapshot, Workload workload) {
    String namespace = workload.metadata().namespace();
    String localQueue = workload.spec().queueName();
    if (!workload.spec().active()) {
      return Optional.of("It is deactivated: spec.active is false");
    }
    if (localQueue == null || localQueue.isEmpty()) {
      return Optional.of("It names no LocalQueue: spec.queueName is empty");
    }
    LocalQueue local = snapshot.localQueue(new ObjectKey(namespace, localQueue));
    if (local == null) {
      return Optional.of(
          "There is no LocalQueue %s in namespace %s".formatted(localQueue, namespace));
    }
    if (local.spec().stopPolicy() != StopPolicy.NONE) {
      return Optional.of("LocalQueue %s is stopped: spec.stopPolicy".formatted(localQueue));
    }
    String clusterQueue = local.spec().clusterQueue();
    if (clusterQueue == null || !snapshot.hasClusterQueue(clusterQueue)) {
      return Optional.of(
          "There is no ClusterQueue %s, to which LocalQueue %s leads"
              .formatted(clusterQueue == null ? "" : clusterQueue, localQueue));
    }
    List<Inactivity> inactivity = snapshot.inactivity(clusterQueue);
    return inactivity.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "ClusterQueue %s is inactive: %s"
                .formatted(
                    clusterQueue,
                    String.join("; ", inactivity.stream().map(Inactivity::message).toList())));
  }
}
