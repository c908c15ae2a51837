package dev.sluice.server.whatif;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.see.forecast.Reach;
import dev.sluice.server.world.SimulatedConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds the ClusterQueues in which the changes of a simulation can decide anything later. */
final class PlayedQueues {
  private PlayedQueues() {}

  /**
   * Those ClusterQueues; all where nobody can tell.
   *
   * @param before the state without the changes
   * @param after the state of the same engine with them, in which nothing is left to decide
   * @param stored has the ResourceFlavors
   */
  static Predicate<String> of(
      WhatIfRequest request,
      Snapshot before,
      Snapshot after,
      SimulatedConfiguration chosen,
      StoredObjects stored) {
    EngineConfiguration configuration = EngineConfiguration.of(chosen.configuration());
    // usage depends on when anything happens anywhere
    boolean everywhere = configuration.admissionFairSharing() != null;
    List<NodeName> edited = new ArrayList<>();
    for (ObjectNode edit : request.edits()) {
      Optional<List<NodeName>> nodes = nodes(edit, before, after);
      nodes.ifPresent(edited::addAll);
      everywhere |= nodes.isEmpty();
    }
    if (everywhere) {
      return _ -> true;
    }
    Set<String> reached = Reach.of(before, after, edited, it -> hasTopology(stored, it));
    return reached::contains;
  }

  /** What of the trees the edit changes; empty for an edit that may concern all. */
  private static Optional<List<NodeName>> nodes(ObjectNode edit, Snapshot before, Snapshot after) {
    ObjectKey key = WhatIfRequest.key(edit);
    String kind = WhatIfRequest.kind(edit).kind();
    if (kind.equals(ApiKind.CLUSTER_QUEUE.kind())) {
      return Optional.of(List.of(NodeName.clusterQueue(key.name())));
    }
    if (kind.equals(ApiKind.COHORT.kind())) {
      return Optional.of(List.of(NodeName.cohort(key.name())));
    }
    return kind.equals(ApiKind.LOCAL_QUEUE.kind())
        ? Optional.of(
            Stream.of(before, after)
                .map(it -> LocalQueues.target(it.localQueue(key)))
                .filter(Objects::nonNull)
                .map(NodeName::clusterQueue)
                .toList())
        : Optional.empty();
  }

  private static boolean hasTopology(StoredObjects stored, String flavor) {
    return stored
        .find(ApiKind.RESOURCE_FLAVOR.groupKind(), new ObjectKey("", flavor))
        .map(it -> it.at("/spec/topologyName").asText())
        .filter(it -> !it.isEmpty())
        .isPresent();
  }
}
