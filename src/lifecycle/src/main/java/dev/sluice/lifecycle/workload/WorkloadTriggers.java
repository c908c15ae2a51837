package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.lifecycle.nodes.NodeWatch;
import dev.sluice.lifecycle.store.ObjectIndex;
import dev.sluice.lifecycle.store.SpecChanges;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the Workloads that a change concerns: the Workload itself, and those that refer to a
 * LocalQueue, a ClusterQueue, a WorkloadPriorityClass or a node. Thread-safe.
 */
public final class WorkloadTriggers {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final GroupKind LOCAL_QUEUE = ApiKind.LOCAL_QUEUE.groupKind();
  private static final GroupKind CLUSTER_QUEUE = ApiKind.CLUSTER_QUEUE.groupKind();
  private static final GroupKind PRIORITY_CLASS = ApiKind.WORKLOAD_PRIORITY_CLASS.groupKind();

  private final NodeWatch nodes;
  private final ObjectIndex byLocalQueue = new ObjectIndex(WorkloadTriggers::localQueue);
  private final ObjectIndex byAdmission = new ObjectIndex(WorkloadTriggers::admission);
  private final ObjectIndex byPriorityClass = new ObjectIndex(WorkloadTriggers::priorityClass);
  private final ObjectIndex byClusterQueue = new ObjectIndex(WorkloadTriggers::clusterQueue);
  private final PriorityWatch priorities = new PriorityWatch();

  /** Knows no object yet. */
  public WorkloadTriggers(NodeWatch nodes) {
    this.nodes = nodes;
  }

  /** Takes note of a change; call this before {@link #concernedBy}. */
  public void note(GroupKind kind, ObjectChange change) {
    if (kind.equals(WORKLOAD)) {
      byLocalQueue.note(change);
      byAdmission.note(change);
      byPriorityClass.note(change);
      priorities.noteWorkload(change);
    } else if (kind.equals(PRIORITY_CLASS)) {
      String name = ObjectKey.of(change.latest()).name();
      priorities.noteClass(change, () -> byPriorityClass.find(name));
    } else if (kind.equals(LOCAL_QUEUE)) {
      byClusterQueue.note(change);
    }
  }

  /** Which priorities of Workloads were edited, of all that was noted. */
  public PriorityWatch priorities() {
    return priorities;
  }

  /** The Workloads that have to be looked at after that change. */
  public Collection<ObjectKey> concernedBy(GroupKind kind, ObjectChange change) {
    Set<ObjectKey> concerned = new LinkedHashSet<>(nodes.changed(kind, change));
    ObjectKey key = ObjectKey.of(change.latest());
    if (kind.equals(WORKLOAD)) {
      concerned.add(key);
    } else if (kind.equals(PRIORITY_CLASS)) {
      concerned.addAll(byPriorityClass.find(key.name()));
    } else {
      concerned.addAll(queuedBehind(kind, change));
    }
    return concerned;
  }

  /** The Workloads whose LocalQueue or ClusterQueue has changed. */
  public Collection<ObjectKey> queuedBehind(GroupKind kind, ObjectChange change) {
    ObjectKey key = ObjectKey.of(change.latest());
    if (kind.equals(LOCAL_QUEUE) && SpecChanges.isOne(change)) {
      return byLocalQueue.find(key.toString());
    }
    return kind.equals(CLUSTER_QUEUE) && SpecChanges.isOne(change)
        ? queuedIn(key.name())
        : List.of();
  }

  /**
   * The Workloads whose LocalQueue points to that ClusterQueue, and those with quota there, whose
   * LocalQueue may be gone.
   */
  public Collection<ObjectKey> queuedIn(String clusterQueue) {
    Set<ObjectKey> queued = new LinkedHashSet<>(byAdmission.find(clusterQueue));
    for (ObjectKey queue : byClusterQueue.find(clusterQueue)) {
      queued.addAll(byLocalQueue.find(queue.toString()));
    }
    return queued;
  }

  private static Set<String> localQueue(JsonNode workload) {
    String name = workload.path("spec").path("queueName").asText();
    return name.isEmpty()
        ? Set.of()
        : Set.of(workload.path("metadata").path("namespace").asText() + "/" + name);
  }

  private static Set<String> admission(JsonNode workload) {
    return Set.copyOf(named(workload.path("status").path("admission").path("clusterQueue")));
  }

  private static Set<String> priorityClass(JsonNode workload) {
    return Set.copyOf(named(workload.path("spec").path("priorityClassRef").path("name")));
  }

  private static Set<String> clusterQueue(JsonNode localQueue) {
    return Set.copyOf(named(localQueue.path("spec").path("clusterQueue")));
  }

  private static List<String> named(JsonNode name) {
    return name.asText().isEmpty() ? List.of() : List.of(name.asText());
  }
}
