package dev.sluice.quota.tree;

import static java.util.Objects.requireNonNull;

/** A node of a tree; a ClusterQueue and a Cohort may have the same name. */
public record NodeName(Kind kind, String name) implements Comparable<NodeName> {
  /** What the node is. */
  public enum Kind {
    COHORT,
    CLUSTER_QUEUE
  }

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
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : name.compareTo(other.name);
  }

  @Override
  public boolean equals(Object other) { // by hand: asked for very often, also before it is compiled
    return other instanceof NodeName that && kind == that.kind && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return isClusterQueue() ? name.hashCode() : ~name.hashCode();
  }

  @Override
  public String toString() {
    return (isClusterQueue() ? "ClusterQueue " : "Cohort ") + name;
  }
}
