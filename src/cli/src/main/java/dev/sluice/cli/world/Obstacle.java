package dev.sluice.cli.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.workload.Workload;
import dev.sluice.lifecycle.store.ObjectLookup;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.inventory.Inactivity;
import java.util.List;
import java.util.Optional;

/** What keeps a workload from being looked at: itself, or its queues. */
final class Obstacle {
  private Obstacle() {}

  /** A sentence; empty where nothing does that can be seen. */
  static Optional<String> of(Workload workload, ObjectLookup objects, Snapshot snapshot) {
    String namespace = workload.metadata().namespace();
    String localQueue = workload.spec().queueName();
    if (!workload.spec().active()) {
      return Optional.of("It is deactivated: spec.active is false");
    }
    if (localQueue == null || localQueue.isEmpty()) {
      return Optional.of("It names no LocalQueue: spec.queueName is empty");
    }
    JsonNode local =
        objects
            .find(ApiKind.LOCAL_QUEUE.groupKind(), namespace, localQueue)
            .orElse(MissingNode.getInstance());
    if (local.isMissingNode()) {
      return Optional.of(
          "There is no LocalQueue %s in namespace %s".formatted(localQueue, namespace));
    }
    if (!local.at("/spec/stopPolicy").asText("None").equals("None")) {
      return Optional.of("LocalQueue %s is stopped: spec.stopPolicy".formatted(localQueue));
    }
    String clusterQueue = local.at("/spec/clusterQueue").asText();
    if (!snapshot.hasClusterQueue(clusterQueue)) {
      return Optional.of(
          "There is no ClusterQueue %s, to which LocalQueue %s leads"
              .formatted(clusterQueue, localQueue));
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
