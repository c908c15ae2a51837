package dev.sluice.quota.queue;

import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.persistent.ForkableIndex;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.tree.NodeName;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An index from events to the ClusterQueues whose workloads wait for them, so that an event visits
 * no other queue. A queue may stay listed after its last workload stopped waiting. For one thread.
 */
final class AwaitedEvents {
  /** A pair of flavor and resource in the tree with that root. */
  private record TreePair(NodeName root, FlavorResource pair) implements Comparable<TreePair> {
    @Override
    public int compareTo(TreePair other) {
      int byRoot = root.compareTo(other.root);
      return byRoot != 0 ? byRoot : pair.compareTo(other.pair);
    }
  }

  private final ForkableIndex<TreePair, String> ofPair;
  private final ForkableIndex<String, TreePair> pairsOf;
  private final ForkableIndex<NodeName, String> ofShares;
  private final ForkableMap<String, NodeName> sharesUnder;
  private final ForkableIndex<String, String> ofNamespace;
  private final ForkableIndex<String, String> ofRoom;

  /** An empty index. */
  AwaitedEvents() {
    this.ofPair = new ForkableIndex<>();
    this.pairsOf = new ForkableIndex<>();
    this.ofShares = new ForkableIndex<>();
    this.sharesUnder = new ForkableMap<>();
    this.ofNamespace = new ForkableIndex<>();
    this.ofRoom = new ForkableIndex<>();
  }

  private AwaitedEvents(AwaitedEvents other) {
    this.ofPair = other.ofPair.fork();
    this.pairsOf = other.pairsOf.fork();
    this.ofShares = other.ofShares.fork();
    this.sharesUnder = other.sharesUnder.fork();
    this.ofNamespace = other.ofNamespace.fork();
    this.ofRoom = other.ofRoom.fork();
  }

  /** A copy that changes independently. */
  AwaitedEvents fork() {
    return new AwaitedEvents(this);
  }

  /** Adds quota and shares that the interest names, in the tree with that root. */
  void add(String queue, NodeName root, Interest interest) {
    for (FlavorResource pair : interest.pairs()) {
      var inTree = new TreePair(root, pair);
      ofPair.add(inTree, queue);
      pairsOf.add(queue, inTree);
    }
    if (interest.shares()) {
      NodeName before = sharesUnder.put(queue, root);
      if (before != null && !before.equals(root)) {
        ofShares.remove(before, queue);
      }
      ofShares.add(root, queue);
    }
  }

  void addNamespace(String queue, String namespace) {
    ofNamespace.add(namespace, queue);
  }

  /** Adds capacity in the domains of the flavors that the interest names. */
  void addRooms(String queue, Interest interest) {
    interest.rooms().forEach(flavor -> ofRoom.add(flavor, queue));
  }

  /** The queues with workloads that may fit when one of the pairs is released, in order. */
  Set<String> ofRelease(NodeName root, Set<FlavorResource> pairs) {
    Set<String> queues = new TreeSet<>(ofShares.of(root));
    for (FlavorResource pair : pairs) {
      queues.addAll(ofPair.of(new TreePair(root, pair)));
    }
    return queues;
  }

  boolean hasPair(NodeName root, String queue, FlavorResource pair) {
    return ofPair.contains(new TreePair(root, pair), queue);
  }

  void removePair(NodeName root, String queue, FlavorResource pair) {
    var inTree = new TreePair(root, pair);
    ofPair.remove(inTree, queue);
    pairsOf.remove(queue, inTree);
  }

  boolean hasShares(NodeName root, String queue) {
    return ofShares.contains(root, queue);
  }

  void removeShares(NodeName root, String queue) {
    if (ofShares.remove(root, queue)) {
      sharesUnder.remove(queue);
    }
  }

  /** Removes and returns the queues that wait for other shares in the tree with that root. */
  List<String> takeShares(NodeName root) {
    List<String> queues = ofShares.removeAll(root);
    queues.forEach(sharesUnder::remove);
    return queues;
  }

  /** Removes the queue from all events of its tree. */
  void removeQuota(String queue) {
    for (TreePair inTree : pairsOf.removeAll(queue)) {
      ofPair.remove(inTree, queue);
    }
    NodeName root = sharesUnder.remove(queue);
    if (root != null) {
      ofShares.remove(root, queue);
    }
  }

  boolean hasNamespace(String namespace, String queue) {
    return ofNamespace.contains(namespace, queue);
  }

  /** Removes and returns the queues that wait for a change of the namespace. */
  List<String> takeNamespace(String namespace) {
    return ofNamespace.removeAll(namespace);
  }

  boolean hasRoom(String flavor, String queue) {
    return ofRoom.contains(flavor, queue);
  }

  /** Removes and returns the queues that wait for capacity in domains of the flavors, in order. */
  Set<String> takeRooms(Set<String> flavors) {
    Set<String> queues = new TreeSet<>();
    flavors.forEach(flavor -> queues.addAll(ofRoom.removeAll(flavor)));
    return queues;
  }
}
