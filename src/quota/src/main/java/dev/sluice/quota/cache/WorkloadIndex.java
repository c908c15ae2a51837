package dev.sluice.quota.cache;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.PODS_READY;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.ForkableIndex;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.world.WorkloadState;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds workloads by LocalQueue, ResourceClaimTemplate or parent. For one thread. */
final class WorkloadIndex {
  private final ForkableIndex<ObjectKey, ObjectKey> waitingFor;
  private final ForkableIndex<String, ObjectKey> variants;
  private final DeviceClaimants claimants;
  private final ForkableMap<ObjectKey, ObjectKey> notReady;

  WorkloadIndex() {
    this.waitingFor = new ForkableIndex<>();
    this.variants = new ForkableIndex<>();
    this.claimants = new DeviceClaimants();
    this.notReady = new ForkableMap<>();
  }

  private WorkloadIndex(WorkloadIndex other) {
    this.waitingFor = other.waitingFor.fork();
    this.variants = other.variants.fork();
    this.claimants = other.claimants.fork();
    this.notReady = other.notReady.fork();
  }

  /** A copy with the same workloads that changes independently. */
  WorkloadIndex fork() {
    return new WorkloadIndex(this);
  }

  /** Whether pods of an admitted workload are not ready. */
  boolean anyNotReady() {
    return !notReady.isEmpty();
  }

  /** Those of the LocalQueue that may be admitted; a copy. */
  List<ObjectKey> waitingFor(ObjectKey localQueue) {
    return waitingFor.of(localQueue);
  }

  /** The variants of one parent, by its uid. */
  List<ObjectKey> variantsOf(String parent) {
    return variants.of(parent);
  }

  /** Those that name the ResourceClaimTemplate. */
  Collection<ObjectKey> claimantsOf(ObjectKey template) {
    return claimants.of(template);
  }

  /**
   * Adds the workload in place of its former state.
   *
   * @param old the former state, or null if the workload is new
   */
  void put(@Nullable WorkloadState old, WorkloadState workload) {
    ObjectKey key = workload.key();
    if (old != null) {
      remove(old);
    }
    ObjectKey localQueue = workload.localQueue();
    if (workload.admissible() && localQueue != null) {
      waitingFor.add(localQueue, key);
    }
    claimants.add(workload);
    String parent = workload.parentUid();
    if (parent != null) {
      variants.add(parent, key);
    }
    if (workload.holdsQuota() && workload.isTrue(ADMITTED) && !workload.isTrue(PODS_READY)) {
      notReady.put(key, key);
    }
  }

  void remove(WorkloadState old) {
    notReady.remove(old.key());
    claimants.remove(old);
    ObjectKey localQueue = old.localQueue();
    if (localQueue != null) {
      waitingFor.remove(localQueue, old.key());
    }
    String parent = old.parentUid();
    if (parent != null) {
      variants.remove(parent, old.key());
    }
  }
}
