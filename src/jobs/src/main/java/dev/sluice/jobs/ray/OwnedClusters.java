package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.PlanContext;
import java.util.List;
import java.util.Optional;

/**
 * The RayClusters that the operator made for a RayJob or a RayService.
 *
 * @param owner the RayJob or RayService
 * @param all those that are not gone
 */
record OwnedClusters(JsonNode owner, PlanContext context, List<RayClusterState> all) {
  static OwnedClusters of(JsonNode owner, PlanContext context) {
    return new OwnedClusters(owner, context, RayClusterState.of(owner, context.world()));
  }

  boolean areActive() {
    return all.stream().anyMatch(RayClusterState::isActive);
  }

  /**
   * The one by which an elastic owner that runs is sized: the autoscaler changes the numbers of
   * workers there.
   *
   * @param name what the owner calls its cluster; empty while it has none
   */
  Optional<RayClusterState> sizing(String name, boolean isSuspended) {
    boolean isElastic =
        context.settings().isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
            && JobObject.of(owner).asksToBeElastic();
    return isElastic && !isSuspended ? RayClusterState.named(name, all) : Optional.empty();
  }

  /** Whether the Pod that deletes data in Redis may still have to run. */
  boolean cleanRedis() {
    return context.settings().isOn(FeatureGate.DEFER_RAY_SERVICE_FINALIZATION_FOR_REDIS_CLEANUP)
        && all.stream().anyMatch(RayClusterState::cleansRedis);
  }
}
