package dev.sluice.quota.topology;

import dev.sluice.api.core.Node;
import java.util.List;

/** A smallest domain with its nodes. For one thread, except while nobody changes anything. */
final class Leaf {
  private final List<String> path;
  private final List<NodeState> nodes;
  private final Bin bin;
  private long[] free = new long[0];
  private boolean usable;
  private Node shown;

  Leaf(List<String> path, List<NodeState> nodes, Bin bin) {
    this.path = List.copyOf(path);
    this.nodes = List.copyOf(nodes);
    this.bin = bin;
    this.shown = nodes.getFirst().node();
    refresh();
  }

  /** Adds up anew what its nodes have. */
  void refresh() {
    long[] sum = new long[0];
    usable = false;
    for (NodeState node : nodes) {
      if (node.usable()) {
        shown = usable ? shown : node.node();
        usable = true;
        sum = Resources.plus(sum, node.free(), 1);
      }
    }
    free = sum;
  }

  /** Its value of each level, widest first. */
  List<String> path() {
    return path;
  }

  Bin bin() {
    return bin;
  }

  /** Whether a node here takes pods; a domain without one counts as not there. */
  boolean usable() {
    return usable;
  }

  /** What our pods may take, with none of them there. Not to be changed. */
  long[] free() {
    return free;
  }

  /** The node that labels and taints are read of, where a domain is one node. */
  Node node() {
    return shown;
  }

  int nodes() {
    return nodes.size();
  }
}
