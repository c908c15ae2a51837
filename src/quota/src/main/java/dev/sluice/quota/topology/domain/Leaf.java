package dev.sluice.quota.topology.domain;

import dev.sluice.api.core.Node;
import dev.sluice.quota.topology.node.NodeState;
import dev.sluice.quota.topology.node.ResourceNumbers;
import java.util.List;

/**
 * A domain of the lowest level with its nodes. For one thread; several may read while none writes.
 */
public final class Leaf {
  private final List<String> path;
  private final List<NodeState> nodes;
  private final CapacityBucket bin;
  private long[] free = new long[0];
  private boolean usable;
  private Node shown;

  Leaf(List<String> path, List<NodeState> nodes, CapacityBucket bin) {
    this.path = List.copyOf(path);
    this.nodes = List.copyOf(nodes);
    this.bin = bin;
    this.shown = nodes.getFirst().node();
    refresh();
  }

  /** Sums up its nodes again. */
  void refresh() {
    long[] sum = new long[0];
    usable = false;
    for (NodeState node : nodes) {
      if (node.usable()) {
        shown = usable ? shown : node.node();
        usable = true;
        sum = ResourceNumbers.plus(sum, node.free(), 1);
      }
    }
    free = sum;
  }

  /** Its value of each level, widest first. */
  List<String> path() {
    return path;
  }

  public CapacityBucket bin() {
    return bin;
  }

  /** Whether a node here takes pods; a domain without one counts as not there. */
  public boolean usable() {
    return usable;
  }

  /** What our pods may take, with none of them there. Not to be changed. */
  public long[] free() {
    return free;
  }

  /** The node that labels and taints are read of, where a domain is one node. */
  public Node node() {
    return shown;
  }
}
