package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.decision.WakeUp;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.Trees;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Lists the events that requeue a pending workload. */
public final class WakeUpEvents {
  private WakeUpEvents() {}

  /**
   * For a workload in that queue, which may have a tree there.
   *
   * @param root the root of the queue's tree, or null
   * @param parkedFor what the workload waits for; null if it is not parked
   */
  public static List<WakeUp> in(
      QueueEntry entry,
      Trees trees,
      @Nullable NodeName root,
      WorkloadState workload,
      @Nullable Interest parkedFor) {
    List<WakeUp> wakeUps = new ArrayList<>();
    wakeUps.add(new WakeUp.WorkloadChanged());
    wakeUps.add(new WakeUp.ClusterQueueChanged(entry.rules().name()));
    Interest interest = parkedFor != null ? parkedFor : entry.blocked();
    if (entry.active() && root != null && interest == null) {
      wakeUps.add(new WakeUp.NextCycle());
    }
    String cohort = entry.rules().queue().spec().cohortName();
    if (root == null && cohort != null) {
      wakeUps.add(new WakeUp.TreeChanged(cohort));
    }
    entry.rules().flavors().forEach(f -> wakeUps.add(new WakeUp.FlavorChanged(f)));
    if (interest != null) {
      addInterest(interest, trees, root, workload, wakeUps);
    }
    return wakeUps;
  }

  private static void addInterest(
      Interest interest,
      Trees trees,
      @Nullable NodeName root,
      WorkloadState workload,
      List<WakeUp> wakeUps) {
    if (root != null) {
      wakeUps.add(new WakeUp.TreeChanged(root.name()));
      QuotaTree tree = interest.shares() ? trees.tree(root) : null;
      Set<FlavorResource> pairs = tree == null ? interest.pairs() : tree.shape().pairs();
      for (FlavorResource pair : pairs.size() > 1 ? new TreeSet<>(pairs) : pairs) {
        wakeUps.add(new WakeUp.QuotaReleased(root.name(), pair));
      }
    }
    Set<String> rooms = interest.rooms();
    for (String flavor : rooms.size() > 1 ? new TreeSet<>(rooms) : rooms) {
      wakeUps.add(new WakeUp.RoomChanged(flavor));
    }
    if (interest.namespace()) {
      wakeUps.add(new WakeUp.NamespaceChanged(workload.key().namespace()));
    }
    Instant until = workload.backoffUntil();
    if (until != null && until.isBefore(Instant.MAX)) {
      wakeUps.add(new WakeUp.TimeReached(until));
    }
  }

  /** For a workload in no queue, because its LocalQueue or ClusterQueue is missing. */
  public static List<WakeUp> outside(WorkloadState workload, @Nullable String clusterQueue) {
    List<WakeUp> wakeUps = new ArrayList<>();
    wakeUps.add(new WakeUp.WorkloadChanged());
    ObjectKey localQueue = workload.localQueue();
    if (workload.admissible() && localQueue != null) {
      wakeUps.add(new WakeUp.LocalQueueChanged(localQueue.namespace(), localQueue.name()));
      if (clusterQueue != null) {
        wakeUps.add(new WakeUp.ClusterQueueChanged(clusterQueue));
      }
    }
    return wakeUps;
  }
}
