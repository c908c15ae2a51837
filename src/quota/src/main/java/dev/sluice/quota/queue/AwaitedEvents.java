package dev.sluice.quota.queue;

import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.persistent.ForkableIndex;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.tree.NodeName;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

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

  /** What a queue was added for, in the tree with that root. */
  private record Added(@Nullable NodeName root, Interest interest) {
    @SuppressWarnings("ReferenceEquality") // an equal one is only added again
    boolean isSame(@Nullable Added other) {
      return other != null && interest == other.interest && Objects.equals(root, other.root);
    }
  }

  // most workloads of a queue wait for the same, one after the other
  private final ForkableMap<String, Added> latest;
  private final ForkableIndex<TreePair, String> ofPair;
  private final ForkableIndex<String, TreePair> pairsOf;
  private final ForkableIndex<NodeName, String> ofShares;
  private final ForkableMap<String, NodeName> sharesUnder;
  private final ForkableIndex<String, String> ofNamespace;
  private final ForkableIndex<String, String> ofRoom;

  /** An empty index. */
  AwaitedEvents() {
    this.latest = new ForkableMap<>();
    this.ofPair = new ForkableIndex<>();
    this.pairsOf = new ForkableIndex<>();
    this.ofShares = new ForkableIndex<>();
    this.sharesUnder = new ForkableMap<>();
    this.ofNamespace = new ForkableIndex<>();
    this.ofRoom = new ForkableIndex<>();
  }

  private AwaitedEvents(AwaitedEvents other) {
    this.latest = other.latest.fork();
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

  /**
   * Adds capacity in the domains of the flavors that the interest names, and quota and shares in
   * the tree with that root.
   *
   * @param root null where the queue has no tree
   */
  void add(String queue, @Nullable NodeName root, Interest interest) {
    var added = new Added(root, interest);
    if (added.isSame(latest.put(queue, added))) {
      return;
    }
    interest.rooms().forEach(flavor -> ofRoom.add(flavor, queue));
    if (root != null) {
      addQuota(queue, root, interest);
    }
  }

  private void addQuota(String queue, NodeName root, Interest interest) {
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

  /** Removes the queue from the release of the pairs and of shares in that tree. */
  void remove(NodeName root, String queue, Set<FlavorResource> pairs) {
    latest.remove(queue);
    for (FlavorResource pair : pairs) {
      var inTree = new TreePair(root, pair);
      ofPair.remove(inTree, queue);
      pairsOf.remove(queue, inTree);
    }
    removeShares(root, queue);
  }

  boolean hasShares(NodeName root, String queue) {
    return ofShares.contains(root, queue);
  }

  private void removeShares(NodeName root, String queue) {
    if (ofShares.remove(root, queue)) {
      sharesUnder.remove(queue);
    }
  }

  /** Removes and returns the queues that wait for other shares in the tree with that root. */
  List<String> takeShares(NodeName root) {
    List<String> queues = ofShares.removeAll(root);
    queues.forEach(
        queue -> {
          sharesUnder.remove(queue);
          latest.remove(queue);
        });
    return queues;
  }

  /** Removes the queue from all events of its tree. */
  void removeQuota(String queue) {
    latest.remove(queue);
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
    queues.forEach(latest::remove);
    return queues;
  }
}
