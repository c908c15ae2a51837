package dev.sluice.quota.cache;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.PODS_READY;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds workloads by LocalQueue, ResourceClaimTemplate or parent. For one thread. */
final class WorkloadIndex {
  private final Map<ObjectKey, Set<ObjectKey>> waitingFor = new HashMap<>();
  private final Map<String, Set<ObjectKey>> variants = new HashMap<>();
  private final DeviceClaimants claimants = new DeviceClaimants();
  private final Set<ObjectKey> notReady = new HashSet<>();

  /** Whether pods of an admitted workload are not ready. */
  boolean anyNotReady() {
    return !notReady.isEmpty();
  }

  /** Those of the LocalQueue that may be admitted; a copy. */
  List<ObjectKey> waitingFor(ObjectKey localQueue) {
    return List.copyOf(waitingFor.getOrDefault(localQueue, Set.of()));
  }

  /** The variants of one parent, by its uid. */
  Set<ObjectKey> variantsOf(String parent) {
    return variants.getOrDefault(parent, Set.of());
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
      waitingFor.computeIfAbsent(localQueue, _ -> new TreeSet<>()).add(key);
    }
    claimants.add(workload);
    String parent = workload.parentUid();
    if (parent != null) {
      variants.computeIfAbsent(parent, _ -> new TreeSet<>()).add(key);
    }
    if (workload.holdsQuota() && workload.isTrue(ADMITTED) && !workload.isTrue(PODS_READY)) {
      notReady.add(key);
    }
  }

  void remove(WorkloadState old) {
    notReady.remove(old.key());
    claimants.remove(old);
    ObjectKey localQueue = old.localQueue();
    if (localQueue != null) {
      removeFrom(waitingFor, localQueue, old.key());
    }
    String parent = old.parentUid();
    if (parent != null) {
      removeFrom(variants, parent, old.key());
    }
  }

  private static <K> void removeFrom(Map<K, Set<ObjectKey>> index, K key, ObjectKey workload) {
    Set<ObjectKey> own = index.get(key);
    if (own != null && own.remove(workload) && own.isEmpty()) {
      index.remove(key);
    }
  }
}
