package dev.sluice.quota.topology.domain;

import dev.sluice.api.core.Node;
import dev.sluice.quota.topology.node.NodeState;
import dev.sluice.quota.topology.node.ResourceNumbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A domain of the lowest level with what its nodes have. Immutable. */
public final class Leaf {
  private final List<String> path;
  private final List<String> nodes;
  private final CapacityBucket bin;
  private final long[] free;
  private final boolean usable;
  private final Node shown;

  /** A domain of those nodes, which are at least one. */
  Leaf(List<String> path, List<NodeState> nodes, CapacityBucket bin) {
    this(path, nodes.stream().map(NodeState::name).toList(), nodes, bin, nodes.getFirst().node());
  }

  private Leaf(
      List<String> path,
      List<String> names,
      List<NodeState> nodes,
      CapacityBucket bin,
      Node unusable) {
    this.path = List.copyOf(path);
    this.nodes = names;
    this.bin = bin;
    long[] sum = new long[0];
    Node first = null;
    for (NodeState node : nodes) {
      if (node.usable()) {
        first = first == null ? node.node() : first;
        sum = ResourceNumbers.plus(sum, node.free(), 1);
      }
    }
    this.free = sum;
    this.usable = first != null;
    this.shown = first == null ? unusable : first;
  }

  /** The same domain with its nodes as they are now. */
  Leaf refreshed(Function<String, @Nullable NodeState> known) {
    List<NodeState> states = new ArrayList<>();
    for (String name : nodes) {
      NodeState state = known.apply(name);
      if (state != null) {
        states.add(state);
      }
    }
    return new Leaf(path, nodes, states, bin, shown);
  }

  /** Its value of each level, widest first. */
  List<String> path() {
    return path;
  }

  /** The names of its nodes. */
  public List<String> nodeNames() {
    return Collections.unmodifiableList(nodes);
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
