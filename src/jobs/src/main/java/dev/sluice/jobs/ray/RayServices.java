package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.PodTemplates;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A RayService as a job: it never ends by itself.
 *
 * @param tree the RayService
 */
record RayServices(JsonNode tree, OwnedClusters clusters) implements ClusterOwner {
  private static final List<String> CLUSTER = List.of("spec", "rayClusterConfig");
  private static final List<String> SUSPEND = List.of("spec", "rayClusterConfig", "suspend");

  static Job job(JsonNode tree, PlanContext context) {
    return TemplatedJob.of(
        Framework.RAY_SERVICE,
        tree,
        SUSPEND,
        PodTemplates.at(() -> RayPods.templates(tree, CLUSTER)),
        new RayServices(tree, OwnedClusters.of(tree, context)));
  }

  @Override
  public boolean isActive() {
    return isReady() || clusters.areActive();
  }

  @Override
  public boolean isReady() {
    return Conditions.isTrue(tree, "Ready");
  }

  @Override
  public Optional<Job.Finish> finish() {
    return Optional.empty();
  }

  @Override
  public List<PodSetShape> podSets() {
    return podSets(TemplatedJob.at(tree, CLUSTER));
  }

  /** The serving cluster or, before there is one, the pending cluster. */
  @Override
  public Optional<RayClusterState> sizing() {
    boolean isSuspended = TemplatedJob.at(tree, SUSPEND).asBoolean();
    return Stream.of("activeServiceStatus", "pendingServiceStatus")
        .map(it -> tree.path("status").path(it).path("rayClusterName").asText(""))
        .filter(it -> !it.isEmpty())
        .findFirst()
        .flatMap(it -> clusters.sizing(it, isSuspended));
  }
}
