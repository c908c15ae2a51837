package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.PodTemplates;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import java.util.List;
import java.util.Optional;

/**
 * A RayCluster as a job: it never ends by itself.
 *
 * @param tree the RayCluster
 */
record RayClusters(JsonNode tree, JobSettings settings) implements TemplatedJob.Progress {
  private static final List<String> SPEC = List.of("spec");

  static Job job(JsonNode tree, JobSettings settings) {
    return TemplatedJob.of(
        Framework.RAY_CLUSTER,
        tree,
        List.of("spec", "suspend"),
        PodTemplates.at(() -> RayPods.templates(tree, SPEC)),
        new RayClusters(tree, settings));
  }

  private RayClusterState state() {
    return new RayClusterState(tree);
  }

  @Override
  public boolean isActive() {
    return state().isActive();
  }

  @Override
  public boolean isReady() {
    return state().isReady();
  }

  @Override
  public Optional<Job.Finish> finish() {
    return Optional.empty();
  }

  @Override
  public List<PodSetShape> podSets() {
    JsonNode spec = tree.path("spec");
    return RayPods.podSets(spec, spec, RayPods.useRedis(tree, spec));
  }

  @Override
  public boolean canBeElastic() {
    return true;
  }

  @Override
  public boolean resumesWithOwner() {
    return true;
  }

  @Override
  public boolean needsQuotaWhileDeleted() {
    return settings.isOn(FeatureGate.DEFER_RAY_SERVICE_FINALIZATION_FOR_REDIS_CLEANUP)
        && state().cleansRedis();
  }
}
