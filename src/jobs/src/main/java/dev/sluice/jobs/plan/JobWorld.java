package dev.sluice.jobs.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import java.util.List;
import java.util.Optional;

/**
 * The cluster as the planner of jobs sees it. Answers come from memory and may lag; no method
 * waits. Trees are whole objects (but for managedFields), belong to the world and are never
 * changed. Objects of {@code kueue.x-k8s.io} are at the hub version, others at the version they are
 * watched at.
 *
 * <p>The planner reads: objects of the kinds in {@code JobPlanner.watched}, also as owners,
 * Workloads, LocalQueues, ClusterQueues, ResourceFlavors, WorkloadPriorityClasses, PriorityClasses
 * and Namespaces.
 */
public interface JobWorld {
  /**
   * The object with that name.
   *
   * @param namespace empty for kinds that live in no namespace
   */
  Optional<JsonNode> find(GroupKind kind, String namespace, String name);

  /** Whether objects of that kind are watched, so that existing ones are eventually found. */
  boolean watches(GroupKind kind);

  /**
   * Whether all objects of that kind are known, so that what is not found is not there. A kind that
   * the API server does not serve, if only for a moment, is not known.
   */
  boolean knows(GroupKind kind);

  /** All objects of a cluster-scoped kind; used for PriorityClasses only. */
  List<JsonNode> list(GroupKind kind);

  /**
   * The Workloads with an owner reference, controlling or not, to an owner of that kind and name,
   * whatever its uid, in the order of their names.
   */
  List<JsonNode> workloadsOwnedBy(GroupKind kind, String namespace, String name);

  /**
   * The objects of that kind whose controlling owner has that uid, in the order of their names;
   * used for watched kinds only.
   */
  List<JsonNode> controlledBy(GroupKind kind, String namespace, String ownerUid);

  /**
   * The Pods that name that group, as {@code JobPlanner.groupOf} reads it, in the order of their
   * names.
   */
  List<JsonNode> podsOfGroup(String namespace, String group);

  /** The cluster in which the Workload runs, and whether Pods of it may still run there. */
  default RemoteStop remoteStop(JsonNode workload) {
    return RemoteStop.LOCAL;
  }

  /** Whether all Pods of that Workload are up on another cluster, and no object here says so. */
  default boolean isReadyElsewhere(JsonNode workload) {
    return false;
  }
}
