package dev.sluice.quota.topology.node;

import dev.sluice.api.core.Node;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import java.util.HashMap;
import java.util.Map;

/** A node with the pods on it that are not ours. For one thread. */
public final class NodeState {
  private final ResourceNumbers resources;
  private final Map<ObjectKey, long[]> foreign = new HashMap<>();
  private Node node;
  private long[] allocatable;
  private long[] taken = new long[0];
  private boolean usable;

  public NodeState(Node node, ResourceNumbers resources) {
    this.node = node;
    this.resources = resources;
    this.allocatable = resources.vector(node.status().allocatable());
    this.usable = usable(node);
  }

  public Node node() {
    return node;
  }

  public String name() {
    return node.metadata().name();
  }

  public void set(Node changed) {
    node = changed;
    allocatable = resources.vector(changed.status().allocatable());
    usable = usable(changed);
  }

  private static boolean usable(Node node) {
    return !node.spec().unschedulable()
        && node.status().conditions().stream()
            .anyMatch(c -> c.type().equals("Ready") && c.status() == ConditionStatus.TRUE);
  }

  /** Whether pods may start on it: it is ready and schedulable. */
  public boolean usable() {
    return usable;
  }

  /** A pod that is not ours runs here and takes that. */
  void add(ObjectKey pod, long[] amounts) {
    remove(pod);
    foreign.put(pod, amounts);
    taken = ResourceNumbers.plus(taken, amounts, 1);
  }

  void remove(ObjectKey pod) {
    if (foreign.remove(pod) != null) {
      taken = new long[0];
      foreign.values().forEach(amounts -> taken = ResourceNumbers.plus(taken, amounts, 1));
    }
  }

  /** What is left for our pods; below nothing where too much runs. */
  public long[] free() {
    return ResourceNumbers.plus(allocatable, taken, -1);
  }
}
