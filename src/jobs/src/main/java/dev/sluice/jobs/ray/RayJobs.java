package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.PodTemplates;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A RayJob as a job.
 *
 * @param tree the RayJob
 */
record RayJobs(JsonNode tree, OwnedClusters clusters) implements ClusterOwner {
  private static final List<String> CLUSTER = List.of("spec", "rayClusterSpec");
  private static final List<String> SUSPEND = List.of("spec", "suspend");

  /** The words of the operator for a task that has not begun, or was stopped. */
  private static final Set<String> IDLE = Set.of("", "New", "Suspended");

  /** The job; empty for a task that a cluster of others runs. */
  static Optional<Job> read(JsonNode tree, PlanContext context) {
    return tree.path("spec").path("clusterSelector").isEmpty()
        ? Optional.of(job(tree, context))
        : Optional.empty();
  }

  static Job job(JsonNode tree, PlanContext context) {
    PodTemplates templates =
        new Submitter(tree.path("spec")).templates(() -> RayPods.templates(tree, CLUSTER));
    var progress = new RayJobs(tree, OwnedClusters.of(tree, context));
    return TemplatedJob.of(Framework.RAY_JOB, tree, SUSPEND, templates, progress);
  }

  private JsonNode spec() {
    return tree.path("spec");
  }

  private JsonNode status() {
    return tree.path("status");
  }

  private String deployment() {
    return status().path("jobDeploymentStatus").asText("");
  }

  private Submitter submitter() {
    return new Submitter(spec());
  }

  @Override
  public boolean isActive() {
    return clusters.areActive() || !(isOnHold() || IDLE.contains(deployment()));
  }

  @Override
  public boolean isReady() {
    return RayClusterState.isReady(status().path("rayClusterStatus"));
  }

  @Override
  public Optional<Job.Finish> finish() {
    return switch (deployment()) {
      case "Complete", "Failed" ->
          Optional.of(
              new Job.Finish(
                  status().path("jobStatus").asText().equals("SUCCEEDED"),
                  status().path("message").asText("")));
      default -> Optional.empty();
    };
  }

  @Override
  public List<PodSetShape> podSets() {
    List<PodSetShape> podSets = new ArrayList<>(podSets(spec().path("rayClusterSpec")));
    if (submitter().isPod()) {
      podSets.add(submitter().podSet());
    } else if (submitter().isSidecar()) {
      PodSetShape head = podSets.getFirst();
      podSets.set(0, head.with(HeadPod.with(submitter().container(), head.template())));
    }
    return podSets;
  }

  @Override
  public Optional<RayClusterState> sizing() {
    return clusters.sizing(
        status().path("rayClusterName").asText(""), TemplatedJob.at(tree, SUSPEND).asBoolean());
  }

  /** The operator starts nothing for an invalid job; what it started before is kept. */
  @Override
  public boolean isOnHold() {
    return deployment().equals("ValidationFailed") && clusters.all().isEmpty();
  }
}
