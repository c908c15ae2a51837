package dev.sluice.server.world;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.phase.WorkloadPhase;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SequencedSet;
import java.util.TreeMap;

/**
 * A moment of a simulated cluster.
 *
 * @param workloads all there are, by name
 * @param pending those in their queues, by ClusterQueue, in the order of the queue
 * @param inadmissible those parked, by ClusterQueue
 * @param usage what is reserved, by ClusterQueue
 */
public record ClusterState(
    NavigableMap<ObjectKey, Workload> workloads,
    Map<String, SequencedSet<ObjectKey>> pending,
    Map<String, SequencedSet<ObjectKey>> inadmissible,
    Map<String, Map<FlavorResource, Quantity>> usage) {
  /** Copies what is given. */
  public ClusterState {
    workloads = Collections.unmodifiableNavigableMap(new TreeMap<>(workloads));
    pending = copy(pending);
    inadmissible = copy(inadmissible);
    usage = Map.copyOf(usage);
  }

  /** What the engine knows. */
  static ClusterState of(Snapshot snapshot) {
    NavigableMap<ObjectKey, Workload> workloads = new TreeMap<>();
    snapshot.workloads().forEach(state -> workloads.put(state.key(), state.workload()));
    Map<String, SequencedSet<ObjectKey>> pending = new LinkedHashMap<>();
    Map<String, SequencedSet<ObjectKey>> inadmissible = new LinkedHashMap<>();
    for (String queue : snapshot.clusterQueues()) {
      pending.put(queue, new LinkedHashSet<>(snapshot.pending(queue)));
      inadmissible.put(queue, new LinkedHashSet<>(snapshot.inadmissible(queue)));
    }
    return new ClusterState(workloads, pending, inadmissible, usage(snapshot));
  }

  /** Queues without workloads are left out. */
  private static Map<String, SequencedSet<ObjectKey>> copy(
      Map<String, SequencedSet<ObjectKey>> queues) {
    Map<String, SequencedSet<ObjectKey>> copy = new LinkedHashMap<>();
    new TreeMap<>(queues)
        .forEach(
            (queue, keys) -> {
              if (!keys.isEmpty()) {
                copy.put(queue, Collections.unmodifiableSequencedSet(new LinkedHashSet<>(keys)));
              }
            });
    return Collections.unmodifiableMap(copy);
  }

  /**
   * The Workload that is called so by its own name, or else by that of its job; the name itself if
   * there is none.
   *
   * @throws IllegalArgumentException if the job has several Workloads
   */
  public ObjectKey named(ObjectKey name) {
    if (workloads.containsKey(name)) {
      return name;
    }
    List<ObjectKey> owned =
        workloads.values().stream()
            .map(Workload::metadata)
            .filter(it -> it.namespace().equals(name.namespace()))
            .filter(it -> it.ownerReferences().stream().anyMatch(o -> o.name().equals(name.name())))
            .map(ObjectKey::of)
            .toList();
    if (owned.size() > 1) {
      throw new IllegalArgumentException(
          name + " has several Workloads (expected: one of " + owned + ")");
    }
    return owned.isEmpty() ? name : owned.getFirst();
  }

  private boolean isPending(ObjectKey key) {
    return pending.values().stream().anyMatch(keys -> keys.contains(key));
  }

  private boolean isInadmissible(ObjectKey key) {
    return inadmissible.values().stream().anyMatch(keys -> keys.contains(key));
  }

  /** How far a workload is. */
  public WorkloadPhase phase(ObjectKey key) {
    Workload workload = workloads.get(key);
    return workload == null
        ? WorkloadPhase.GONE
        : WorkloadPhase.of(workload, isPending(key), isInadmissible(key));
  }

  /** What the workloads of a ClusterQueue have reserved, without the pods that are done with it. */
  public Map<FlavorResource, Quantity> usage(String clusterQueue) {
    return usage.getOrDefault(clusterQueue, Map.of());
  }

  private static Map<String, Map<FlavorResource, Quantity>> usage(Snapshot snapshot) {
    Map<String, Map<FlavorResource, Long>> sums = new LinkedHashMap<>();
    for (WorkloadState state : snapshot.workloads()) {
      if (state.holdsQuota() && !isSplit(state.workload())) {
        Map<FlavorResource, Long> sum =
            sums.computeIfAbsent(state.reservedIn(), _ -> new TreeMap<>());
        state.usage().forEach((pair, amount) -> sum.merge(pair, amount, Long::sum));
      }
    }
    Map<String, Map<FlavorResource, Quantity>> usage = new LinkedHashMap<>();
    sums.forEach(
        (queue, sum) -> {
          Map<FlavorResource, Quantity> quantities = new LinkedHashMap<>();
          sum.forEach(
              (pair, amount) -> quantities.put(pair, Amount.toQuantity(pair.resource(), amount)));
          usage.put(queue, quantities);
        });
    return usage;
  }

  /** Whether a variant of it holds the quota of its admission. */
  private static boolean isSplit(Workload workload) {
    return workload.metadata().labels().containsKey(Labels.CONCURRENT_ADMISSION_PARENT);
  }
}
