package dev.sluice.quota.tree;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;

/** A node of a tree; a ClusterQueue and a Cohort may have the same name. */
public record NodeName(Kind kind, String name) implements Comparable<NodeName> {
  /** What the node is. */
  public enum Kind {
    COHORT,
    CLUSTER_QUEUE
  }

  private static final Comparator<NodeName> ORDER =
      Comparator.comparing(NodeName::kind).thenComparing(NodeName::name);

  public NodeName {
    requireNonNull(kind, "kind");
    requireNonNull(name, "name");
  }

  public static NodeName cohort(String name) {
    return new NodeName(Kind.COHORT, name);
  }

  public static NodeName clusterQueue(String name) {
    return new NodeName(Kind.CLUSTER_QUEUE, name);
  }

  public boolean isClusterQueue() {
    return kind == Kind.CLUSTER_QUEUE;
  }

  @Override
  public int compareTo(NodeName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return (isClusterQueue() ? "ClusterQueue " : "Cohort ") + name;
  }
}
