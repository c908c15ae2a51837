package dev.sluice.quota.topology.node;

import dev.sluice.api.core.Node;
import dev.sluice.api.meta.ConditionStatus;

/** A node with what the pods take of it that are not ours. Immutable. */
public final class NodeState {
  private final Node node;
  private final long[] allocatable;
  private final long[] taken;
  private final boolean usable;

  /**
   * A node.
   *
   * @param taken by the pods that are not ours; not to be changed
   */
  public NodeState(Node node, ResourceNumbers resources, long[] taken) {
    this(node, resources.vector(node.status().allocatable()), taken, usable(node));
  }

  private NodeState(Node node, long[] allocatable, long[] taken, boolean usable) {
    this.node = node;
    this.allocatable = allocatable;
    this.taken = taken;
    this.usable = usable;
  }

  public Node node() {
    return node;
  }

  public String name() {
    return node.metadata().name();
  }

  /** This node while the pods that are not ours take that much; not to be changed. */
  public NodeState withTaken(long[] amounts) {
    return new NodeState(node, allocatable, amounts, usable);
  }

  private static boolean usable(Node node) {
    return !node.spec().unschedulable() && ready(node);
  }

  private static boolean ready(Node node) {
    return node.status().conditions().stream()
        .anyMatch(c -> c.type().equals("Ready") && c.status() == ConditionStatus.TRUE);
  }

  /** What it has for pods. Not to be changed. */
  public long[] allocatable() {
    return allocatable;
  }

  /** What the pods that are not ours take of it. Not to be changed. */
  public long[] taken() {
    return taken;
  }

  /** Whether its kubelet says that it is ready. */
  public boolean ready() {
    return ready(node);
  }

  /** Whether pods may start on it: it is ready and schedulable. */
  public boolean usable() {
    return usable;
  }

  /** What is left for our pods; below nothing where too much runs. */
  public long[] free() {
    return ResourceNumbers.plus(allocatable, taken, -1);
  }
}
