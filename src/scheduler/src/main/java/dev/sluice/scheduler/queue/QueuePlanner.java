package dev.sluice.scheduler.queue;

import dev.sluice.api.ApiKind;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.CohortStatus;
import dev.sluice.api.queue.FairSharingStatus;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.queue.LocalQueueStatus;
import dev.sluice.api.write.StatusWrite;
import dev.sluice.api.write.Write;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.QueueRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what to write so that queues, flavors, checks and topologies are as they should. Pure. */
final class QueuePlanner {
  private static final String MANAGER = "kueue";

  private final QueueObjects objects;
  private final QueueStatuses statuses;
  private final SettledQueues settled;
  private final AwaitedQueues awaited;
  private final List<Write> writes = new ArrayList<>();

  private QueuePlanner(
      QueueObjects objects, QueueStatuses statuses, SettledQueues settled, AwaitedQueues awaited) {
    this.objects = objects;
    this.statuses = statuses;
    this.settled = settled;
    this.awaited = awaited;
  }

  /**
   * The writes of a pass.
   *
   * @param snapshot of the engine, made after the objects were read
   * @param settled of the passes before this one
   * @param awaited of the passes before this one
   */
  static List<Write> plan(
      QueueObjects objects,
      Snapshot snapshot,
      boolean fairSharing,
      Instant now,
      SettledQueues settled,
      AwaitedQueues awaited) {
    settled.begin(objects.clusterQueues().values());
    awaited.begin(objects.clusterQueues().values(), snapshot, now);
    QueuePlanner planner =
        new QueuePlanner(objects, new QueueStatuses(snapshot, fairSharing, now), settled, awaited);
    planner.plan();
    return List.copyOf(planner.writes);
  }

  private void plan() {
    Set<String> usedFlavors = new HashSet<>();
    Set<String> usedChecks = new HashSet<>();
    Set<String> usedTopologies = new HashSet<>();
    for (ClusterQueue queue : objects.clusterQueues().values()) {
      QueueRules rules = new QueueRules(queue);
      usedFlavors.addAll(rules.flavors());
      rules.checks().forEach(check -> usedChecks.add(check.name()));
      plan(queue);
    }
    objects.localQueues().forEach(this::plan);
    Map<String, FairSharingStatus> shares = statuses.cohortShares();
    for (Cohort cohort : objects.cohorts()) {
      FairSharingStatus share = shares.get(cohort.metadata().name());
      CohortStatus wanted = new CohortStatus(share);
      status(ApiKind.COHORT, cohort.metadata(), cohort.status(), wanted);
    }
    for (ResourceFlavor flavor : objects.flavors()) {
      keep(ApiKind.RESOURCE_FLAVOR, flavor.metadata(), usedFlavors);
      if (flavor.spec().topologyName() != null) {
        usedTopologies.add(flavor.spec().topologyName());
      }
    }
    for (AdmissionCheck check : objects.checks()) {
      keep(ApiKind.ADMISSION_CHECK, check.metadata(), usedChecks);
    }
    for (Topology topology : objects.topologies()) {
      keep(ApiKind.TOPOLOGY, topology.metadata(), usedTopologies);
    }
  }

  private void keep(ApiKind kind, ObjectMeta metadata, Set<String> used) {
    InUse.kept(kind, metadata, used.contains(metadata.name())).ifPresent(writes::add);
  }

  /**
   * A queue keeps its finalizer until no Workload holds quota of it and the engine, which knows the
   * deletion, grants no more. Pending Workloads do not count.
   */
  private void plan(ClusterQueue queue) {
    ObjectMeta metadata = queue.metadata();
    boolean held =
        metadata.deletionTimestamp() == null
            || statuses.isHeld(metadata.name())
            || statuses.admits(metadata.name());
    Optional<Write> finalizer = InUse.kept(ApiKind.CLUSTER_QUEUE, metadata, held);
    finalizer.ifPresent(writes::add);
    if (finalizer.isEmpty()
        && !awaited.contains(queue)) { // one write at a time: the other would find another version
      status(ApiKind.CLUSTER_QUEUE, metadata, queue.status(), statuses.of(queue));
    }
  }

  private void plan(LocalQueue queue) {
    String name = queue.spec().clusterQueue();
    @Nullable ClusterQueue clusterQueue = name == null ? null : objects.clusterQueues().get(name);
    if (clusterQueue != null && awaited.contains(clusterQueue)) {
      return;
    }
    SettledQueues.Basis basis =
        settled.basis(clusterQueue, statuses.inactivity(clusterQueue), statuses.count(queue));
    boolean mayBeSettled = !statuses.dependsOnTime(queue);
    if (mayBeSettled && settled.contains(queue, basis)) {
      return;
    }
    LocalQueueStatus wanted = statuses.of(queue, clusterQueue);
    boolean isWritten = status(ApiKind.LOCAL_QUEUE, queue.metadata(), queue.status(), wanted);
    if (mayBeSettled && !isWritten) {
      settled.add(queue, basis);
    }
  }

  /** Whether a status has to be written. */
  private boolean status(ApiKind kind, ObjectMeta metadata, Record old, Record wanted) {
    Optional<Write> write =
        StatusWrite.between(
            InUse.ref(kind, metadata), metadata.resourceVersion(), old, wanted, MANAGER);
    write.ifPresent(writes::add);
    return write.isPresent();
  }
}
