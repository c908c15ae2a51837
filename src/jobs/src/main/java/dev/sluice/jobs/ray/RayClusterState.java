package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobWorld;
import java.util.List;
import java.util.Optional;

/**
 * The progress of a RayCluster, as its operator reports it.
 *
 * @param cluster the RayCluster
 */
record RayClusterState(JsonNode cluster) {
  private static final String REDIS_CLEANUP = "ray.io/gcs-ft-redis-cleanup-finalizer";

  /** The RayClusters that the operator made for that owner. */
  static List<RayClusterState> of(JsonNode owner, JobWorld world) {
    String namespace = owner.path("metadata").path("namespace").asText();
    String uid = JobObject.of(owner).uid();
    return world.controlledBy(Framework.RAY_CLUSTER.type().groupKind(), namespace, uid).stream()
        .map(RayClusterState::new)
        .toList();
  }

  /** The one of that name. */
  static Optional<RayClusterState> named(String name, List<RayClusterState> clusters) {
    return clusters.stream()
        .filter(it -> it.cluster.path("metadata").path("name").asText().equals(name))
        .findFirst();
  }

  private JsonNode status() {
    return cluster.path("status");
  }

  boolean isReady() {
    return isReady(status());
  }

  /** Whether that status, or its copy in the status of an owner, is that of a ready cluster. */
  static boolean isReady(JsonNode status) {
    return status.path("state").asText().equals("ready");
  }

  /** Whether its Pods may run. Readiness alone is not enough: it ends before the Pods do. */
  boolean isActive() {
    return isReady()
        || status().path("availableWorkerReplicas").asInt() > 0
        || Conditions.isTrue(cluster, "RayClusterSuspending")
        || isSuspensionUnseen();
  }

  /** Whether the operator has started it and has not seen the suspension yet. */
  private boolean isSuspensionUnseen() {
    long observed = status().path("observedGeneration").asLong();
    return cluster.path("spec").path("suspend").asBoolean()
        && !status().path("state").asText().equals("suspended")
        && observed > 0
        && observed < generation();
  }

  long generation() {
    return cluster.path("metadata").path("generation").asLong();
  }

  /** Whether its deletion waits until its data in Redis are deleted, for which a Pod runs. */
  boolean cleansRedis() {
    return cluster
        .path("metadata")
        .path("finalizers")
        .valueStream()
        .anyMatch(it -> it.asText().equals(REDIS_CLEANUP));
  }
}
