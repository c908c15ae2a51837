package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import dev.sluice.lifecycle.nodes.Health;
import dev.sluice.lifecycle.store.ObjectLookup;
import dev.sluice.lifecycle.store.ReadObject;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.inventory.Inactivity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** What Workloads depend on, from what is watched and from the engine. Thread-safe. */
public final class CachedWorkloadDependencies implements WorkloadDependencies {
  private final ObjectLookup objects;
  private final Supplier<Snapshot> snapshot;
  private final PriorityWatch priorities;
  private final BiFunction<Workload, Instant, Health> health;

  /** Below this number, queues that are gone are not worth looking for. */
  private static final int FEW = 1024;

  /** Thousands of Workloads ask for the same few queues. */
  private final Map<TypedObjectKey, ReadObject<Optional<?>>> read = new ConcurrentHashMap<>();

  private volatile int sweepAbove = FEW;

  /**
   * WorkloadDependencies of these objects.
   *
   * @param priorities which Workloads have an edited priority
   * @param health how the nodes are under a Workload at a time
   */
  public CachedWorkloadDependencies(
      ObjectLookup objects,
      Supplier<Snapshot> snapshot,
      PriorityWatch priorities,
      BiFunction<Workload, Instant, Health> health) {
    this.objects = objects;
    this.snapshot = snapshot;
    this.priorities = priorities;
    this.health = health;
  }

  @Override
  public Optional<LocalQueue> localQueue(String namespace, String name) {
    return read(ApiKind.LOCAL_QUEUE, LocalQueue.class, namespace, name);
  }

  /**
   * A queue that the engine does not know yet counts as missing: whether it is active is unknown.
   */
  @Override
  public Optional<ClusterQueue> clusterQueue(String name) {
    return !snapshot.get().hasClusterQueue(name)
        ? Optional.empty()
        : read(ApiKind.CLUSTER_QUEUE, ClusterQueue.class, "", name);
  }

  @Override
  public Optional<Integer> priority(String workloadPriorityClass) {
    return objects
        .find(ApiKind.WORKLOAD_PRIORITY_CLASS.groupKind(), "", workloadPriorityClass)
        .map(object -> object.path("value"))
        .filter(JsonNode::isInt)
        .map(JsonNode::asInt);
  }

  @Override
  public boolean isPriorityEdited(ObjectKey workload) {
    return priorities.isEdited(workload);
  }

  @Override
  public boolean isPriorityBehind(ObjectKey workload) {
    return priorities.isBehind(workload);
  }

  private <T> Optional<T> read(ApiKind kind, Class<T> type, String namespace, String name) {
    Optional<JsonNode> found = objects.find(kind.groupKind(), namespace, name);
    TypedObjectKey key = new TypedObjectKey(kind.groupKind(), namespace, name);
    if (found.isEmpty()) {
      read.remove(key);
      return Optional.empty();
    }
    ReadObject<Optional<?>> known = read.get(key);
    if (known == null || !known.isOf(found.get())) {
      known = new ReadObject<>(found.get(), typed(type, found.get()));
      read.put(key, known);
      forgetDeleted();
    }
    return known.typed().map(type::cast);
  }

  /** A queue that is gone is not asked for again: without this, each would stay in memory. */
  private void forgetDeleted() {
    if (read.size() > sweepAbove) {
      read.keySet()
          .removeIf(key -> objects.find(key.kind(), key.namespace(), key.name()).isEmpty());
      sweepAbove = 2 * read.size() + FEW;
    }
  }

  /** How many queues are kept as they were read. */
  int kept() {
    return read.size();
  }

  private static <T> Optional<T> typed(Class<T> type, JsonNode object) {
    try {
      return Optional.of(HubObjects.read(type, object));
    } catch (MalformedObjectException _) {
      return Optional.empty(); // who told the engine has said so
    }
  }

  @Override
  public List<Inactivity> inactivity(String clusterQueue) {
    return snapshot.get().inactivity(clusterQueue);
  }

  @Override
  public boolean isRefused(Workload workload) {
    return snapshot.get().isRefused(ObjectKey.of(workload.metadata()));
  }

  @Override
  public Optional<Condition> verdictOfItsLike(Workload workload) {
    return Optional.ofNullable(snapshot.get().judgedFor(ObjectKey.of(workload.metadata())))
        .flatMap(judged -> judged.status().condition(ConditionTypes.QUOTA_RESERVED))
        .filter(it -> it.status() == ConditionStatus.FALSE);
  }

  @Override
  public Health health(Workload workload, Instant now) {
    return health.apply(workload, now);
  }
}
