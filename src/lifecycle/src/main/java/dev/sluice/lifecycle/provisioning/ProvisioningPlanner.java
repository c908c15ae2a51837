package dev.sluice.lifecycle.provisioning;

import dev.sluice.api.meta.ObjectKey;
import java.time.Instant;
import java.util.Optional;

/**
 * Plans the writes so that each Workload with quota has the ProvisioningRequests of its checks, its
 * checks show the autoscaler's answers, and unused requests are deleted. Pure and stateless.
 */
public final class ProvisioningPlanner {
  private final ProvisioningWorld world;
  private final boolean cleansUpOnEviction;
  private final boolean splits;

  /**
   * A planner.
   *
   * @param cleansUpOnEviction whether requests are deleted when the Workload loses its quota, and
   *     not only when it ends (gate {@code CleanupProvisioningRequestsOnEviction})
   * @param splits whether Workloads may be split into variants (gate {@code ConcurrentAdmission})
   */
  public ProvisioningPlanner(ProvisioningWorld world, boolean cleansUpOnEviction, boolean splits) {
    this.world = world;
    this.splits = splits;
    this.cleansUpOnEviction = cleansUpOnEviction;
  }

  /**
   * What to do next about a Workload.
   *
   * @param workload the Workload of that name; empty if there is none
   */
  public ProvisioningPlan plan(ObjectKey key, Optional<CheckedWorkload> workload, Instant now) {
    if (workload.isPresent() && workload.get().mayWantNodes(splits)) {
      return new NodePlan(world, workload.get(), now).make();
    }
    CleanUp cleanUp = new CleanUp(world, key);
    boolean isOver = workload.isEmpty() || workload.get().isFinished();
    return new ProvisioningPlan(
        isOver || cleansUpOnEviction ? cleanUp.all() : cleanUp.unasked(), false);
  }
}
