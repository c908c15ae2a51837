package dev.sluice.scheduler.queue;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.AdmissionFairSharingStatus;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.ClusterQueueStatus;
import dev.sluice.api.queue.FairSharingStatus;
import dev.sluice.api.queue.FlavorQuotas;
import dev.sluice.api.queue.FlavorUsage;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.LocalQueueFairSharingStatus;
import dev.sluice.api.queue.LocalQueueFlavorUsage;
import dev.sluice.api.queue.LocalQueueResourceUsage;
import dev.sluice.api.queue.LocalQueueStatus;
import dev.sluice.api.queue.ResourceGroup;
import dev.sluice.api.queue.ResourceQuota;
import dev.sluice.api.queue.ResourceUsage;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.history.LocalQueueUsage;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the status of a queue has to be. */
final class QueueStatuses {
  /** What the schema of both statuses has room for. */
  private static final int MOST_FLAVORS = 64;

  private final Snapshot snapshot;
  private final Tally tally;
  private final boolean fairSharing;
  private final Instant now;

  QueueStatuses(Snapshot snapshot, boolean fairSharing, Instant now) {
    this.snapshot = snapshot;
    this.tally = Tally.of(snapshot);
    this.fairSharing = fairSharing;
    this.now = now;
  }

  /** Whether any Workload holds quota of that ClusterQueue. */
  boolean isHeld(String clusterQueue) {
    return tally.clusterQueue(clusterQueue).held.reserving() > 0;
  }

  ClusterQueueStatus of(ClusterQueue queue) {
    String name = queue.metadata().name();
    Tally.Count count = tally.clusterQueue(name);
    return new ClusterQueueStatus(
        ActiveCondition.clusterQueue(
            queue.status().conditions(),
            snapshot.inactivity(name),
            queue.metadata().generation(),
            now),
        usage(queue, count.held.reserved()),
        usage(queue, count.held.used()),
        count.pending,
        count.held.reserving(),
        count.held.admitted(),
        fairSharing ? share(name) : null);
  }

  /**
   * Whether Workloads may still get quota of it, because the engine does not know its deletion yet.
   */
  boolean admits(String clusterQueue) {
    return snapshot.hasClusterQueue(clusterQueue)
        && snapshot.inactivity(clusterQueue).stream()
            .noneMatch(it -> it.reason() == Inactivity.Reason.TERMINATING);
  }

  private @Nullable FairSharingStatus share(String name) {
    QuotaTree tree = snapshot.treeOf(name);
    return tree == null ? null : share(tree, NodeName.clusterQueue(name));
  }

  /** The shares of all cohorts that have a tree, by their names; nothing without fair sharing. */
  Map<String, FairSharingStatus> cohortShares() {
    Map<String, FairSharingStatus> shares = new HashMap<>();
    if (fairSharing) {
      for (QuotaTree tree : snapshot.trees()) {
        TreeShape shape = tree.shape();
        for (int node = 0; node < shape.size(); node++) {
          if (!shape.isQueue(node)) {
            FairSharingStatus share = share(tree, shape.name(node));
            if (share != null) {
              shares.put(shape.name(node).name(), share);
            }
          }
        }
      }
    }
    return shares;
  }

  private static @Nullable FairSharingStatus share(QuotaTree tree, NodeName name) {
    int node = tree.shape().node(name);
    return node == TreeShape.NOWHERE
        ? null
        : new FairSharingStatus(tree.ledger().share(node).rounded());
  }

  /**
   * The pairs that are declared, flavors in their order and resources by name, with what of each is
   * in use. Of more flavors than a status may list, the first: with all of them the API server
   * would refuse the whole status.
   */
  private static List<FlavorUsage> usage(ClusterQueue queue, Map<FlavorResource, Long> used) {
    boolean alone = queue.spec().cohortName() == null || queue.spec().cohortName().isEmpty();
    List<FlavorUsage> flavors = new ArrayList<>();
    for (ResourceGroup group : queue.spec().resourceGroups()) {
      for (FlavorQuotas flavor : group.flavors()) {
        if (flavors.size() == MOST_FLAVORS) {
          return flavors;
        }
        List<ResourceUsage> resources = new ArrayList<>();
        for (ResourceQuota quota : flavor.resources()) {
          String resource = quota.name();
          long total = used.getOrDefault(new FlavorResource(flavor.name(), resource), 0L);
          long nominal = Amount.quota(resource, quota.nominalQuota());
          long borrowed = alone ? 0 : Math.max(0, total - nominal);
          resources.add(
              new ResourceUsage(resource, quantity(resource, total), quantity(resource, borrowed)));
        }
        resources.sort(Comparator.comparing(ResourceUsage::name));
        flavors.add(new FlavorUsage(flavor.name(), resources));
      }
    }
    return flavors;
  }

  private static Quantity quantity(String resource, long amount) {
    return Amount.toQuantity(resource, amount);
  }

  /** What counts for the LocalQueue. */
  Tally.Count count(LocalQueue queue) {
    return tally.localQueue(ObjectKey.of(queue.metadata()));
  }

  /** What keeps the ClusterQueue from admitting; nothing of none. */
  List<Inactivity> inactivity(@Nullable ClusterQueue clusterQueue) {
    return clusterQueue == null ? List.of() : snapshot.inactivity(clusterQueue.metadata().name());
  }

  /** Whether its status follows from the time, too. */
  boolean dependsOnTime(LocalQueue queue) {
    return snapshot.fairSample(queue, now).isPresent();
  }

  /**
   * The status of a LocalQueue.
   *
   * @param clusterQueue its ClusterQueue, or null
   */
  LocalQueueStatus of(LocalQueue queue, @Nullable ClusterQueue clusterQueue) {
    Tally.Count count = count(queue);
    return new LocalQueueStatus(
        active(queue, clusterQueue),
        count.pending,
        clusterQueue == null ? 0 : count.held.reserving(), // nothing of what is not there is held
        clusterQueue == null ? 0 : count.held.admitted(),
        clusterQueue == null ? List.of() : localUsage(clusterQueue, count.held.reserved()),
        clusterQueue == null ? List.of() : localUsage(clusterQueue, count.held.used()),
        history(queue));
  }

  /** Its past usage, for the next leader; written once per interval. */
  private @Nullable LocalQueueFairSharingStatus history(LocalQueue queue) {
    LocalQueueFairSharingStatus written = queue.status().fairSharing();
    AdmissionFairSharingStatus last = written == null ? null : written.admissionFairSharingStatus();
    return snapshot
        .fairSample(queue, now)
        .filter(it -> last == null ? hasUsed(it) : isDue(it, last))
        .map(it -> new LocalQueueFairSharingStatus(0, status(it, last)))
        .orElse(written);
  }

  private static boolean isDue(LocalQueueUsage.Sample sample, AdmissionFairSharingStatus last) {
    boolean over = !sample.updated().isBefore(last.lastUpdate().plus(sample.interval()));
    return over
        && (hasUsed(sample)
            || last.consumedResources().values().stream().anyMatch(it -> it.signum() > 0));
  }

  private static boolean hasUsed(LocalQueueUsage.Sample sample) {
    return sample.consumed().values().stream().anyMatch(it -> it.signum() > 0);
  }

  /**
   * What has faded altogether is written as nothing: a merge patch that leaves out all resources
   * removes the field, which the schema requires.
   */
  private static AdmissionFairSharingStatus status(
      LocalQueueUsage.Sample sample, @Nullable AdmissionFairSharingStatus last) {
    Map<String, Quantity> consumed = new TreeMap<>();
    if (last != null) {
      last.consumedResources().keySet().forEach(r -> consumed.put(r, Quantity.of(BigDecimal.ZERO)));
    }
    sample.consumed().forEach((r, amount) -> consumed.put(r, Quantity.of(amount)));
    return new AdmissionFairSharingStatus(consumed, sample.updated());
  }

  private List<Condition> active(LocalQueue queue, @Nullable ClusterQueue clusterQueue) {
    if (queue.spec().stopPolicy() != StopPolicy.NONE) {
      return condition(queue, false, Reasons.STOPPED, "LocalQueue is stopped");
    }
    String no = "Can't submit new workloads to clusterQueue";
    if (clusterQueue == null) {
      return condition(queue, false, Reasons.CLUSTER_QUEUE_DOES_NOT_EXIST, no);
    }
    return inactivity(clusterQueue).isEmpty()
        ? condition(queue, true, Reasons.READY, "Can submit new workloads to localQueue")
        : condition(queue, false, Reasons.CLUSTER_QUEUE_IS_INACTIVE, no);
  }

  private List<Condition> condition(
      LocalQueue queue, boolean active, String reason, String message) {
    return ActiveCondition.with(
        queue.status().conditions(), active, reason, message, queue.metadata().generation(), now);
  }

  private static List<LocalQueueFlavorUsage> localUsage(
      ClusterQueue queue, Map<FlavorResource, Long> used) {
    return usage(queue, used).stream()
        .map(
            flavor ->
                new LocalQueueFlavorUsage(
                    flavor.name(),
                    flavor.resources().stream()
                        .map(r -> new LocalQueueResourceUsage(r.name(), r.total()))
                        .toList()))
        .toList();
  }
}
