package dev.sluice.see.report;

import dev.sluice.see.history.Transition;

/** By what the Workloads of a report are summed up. */
public enum Grouping {
  /** The ClusterQueue whose quota they held. */
  QUEUE,
  NAMESPACE,
  /** Namespace, kind and stem of the name of the owner. */
  OWNER;

  String of(Transition line, String clusterQueue) {
    String namespace = line.subject().workload().namespace();
    return switch (this) {
      case QUEUE -> clusterQueue;
      case NAMESPACE -> namespace;
      case OWNER -> namespace + "/" + line.subject().series();
    };
  }
}
