package dev.sluice.see.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ClusterQueues in which a change can decide anything. Queues share quota with those of
 * their cohort tree and with nobody else, and share nodes where their flavors have a topology. What
 * happens in all others is the same with the change and without it. For one thread.
 */
public final class Reach {
  private final Snapshot before;
  private final Snapshot after;
  private final Predicate<String> onNodes;
  private final Set<String> reached = new TreeSet<>();

  private Reach(Snapshot before, Snapshot after, Predicate<String> onNodes) {
    this.before = before;
    this.after = after;
    this.onNodes = onNodes;
  }

  /**
   * The names of the ClusterQueues that a change reaches, in order.
   *
   * @param before the state without the change
   * @param after the state of the same engine with it, in which nothing is left to decide
   * @param edited the ClusterQueues and Cohorts that are changed themselves, or whose LocalQueues
   *     are
   * @param onNodes whether a ResourceFlavor has a topology
   */
  public static Set<String> of(
      Snapshot before, Snapshot after, Collection<NodeName> edited, Predicate<String> onNodes) {
    Reach reach = new Reach(before, after, onNodes);
    after.changedSince(before).forEach(reach::changed);
    for (NodeName name : edited) {
      if (name.isClusterQueue()) {
        reach.reached.add(name.name());
      } else {
        reach.cohort(name);
      }
    }
    reach.spread();
    return reach.reached;
  }

  private void changed(ObjectKey workload) {
    WorkloadState was = before.state(workload);
    WorkloadState is = after.state(workload);
    if (was == null || is == null || !isAlike(was, is)) {
      queueOf(before, was);
      queueOf(after, is);
    }
  }

  /** A status that only says why it waits has no effect on others. */
  private static boolean isAlike(WorkloadState was, WorkloadState is) {
    return was.holdsQuota() == is.holdsQuota()
        && was.evicted() == is.evicted()
        && was.admissible() == is.admissible()
        && was.priority() == is.priority()
        && was.queueTimestamp().equals(is.queueTimestamp())
        && was.usage().equals(is.usage())
        && was.workload().spec().equals(is.workload().spec());
  }

  private void queueOf(Snapshot snapshot, @Nullable WorkloadState workload) {
    String queue = workload == null ? null : snapshot.queueFor(workload);
    if (queue != null) {
      reached.add(queue);
    }
    if (workload != null && workload.holdsQuota()) { // its LocalQueue may have changed since
      reached.add(workload.reservedIn());
    }
  }

  private void cohort(NodeName name) {
    for (Snapshot snapshot : List.of(before, after)) {
      for (QuotaTree tree : snapshot.shownTrees()) {
        if (tree.shape().node(name) != TreeShape.NOWHERE) {
          reached.addAll(queuesOf(tree));
        }
      }
    }
  }

  private static List<String> queuesOf(QuotaTree tree) {
    TreeShape shape = tree.shape();
    List<String> queues = new ArrayList<>();
    for (int node = 0; node < shape.size(); node++) {
      if (shape.isQueue(node)) {
        queues.add(shape.name(node).name());
      }
    }
    return queues;
  }

  /** Adds those that share with one that is reached, until there are no more. */
  private void spread() {
    Set<String> seen = new HashSet<>();
    boolean reachesNodes = false;
    for (List<String> next = unseen(seen); !next.isEmpty(); next = unseen(seen)) {
      for (String queue : next) {
        for (Snapshot snapshot : List.of(before, after)) {
          QuotaTree tree = snapshot.treeOf(queue);
          if (tree != null) {
            reached.addAll(queuesOf(tree));
          }
          if (!reachesNodes && isOnNodes(snapshot, queue)) {
            reachesNodes = true;
            addThoseOnNodes();
          }
        }
      }
    }
  }

  private List<String> unseen(Set<String> seen) {
    return reached.stream().filter(seen::add).toList();
  }

  private void addThoseOnNodes() {
    for (Snapshot snapshot : List.of(before, after)) {
      for (String queue : snapshot.clusterQueues()) {
        if (isOnNodes(snapshot, queue)) {
          reached.add(queue);
        }
      }
    }
  }

  private boolean isOnNodes(Snapshot snapshot, String name) {
    ClusterQueue queue = snapshot.clusterQueue(name);
    return queue != null
        && queue.spec().resourceGroups().stream()
            .flatMap(group -> group.flavors().stream())
            .anyMatch(flavor -> onNodes.test(flavor.name()));
  }
}
