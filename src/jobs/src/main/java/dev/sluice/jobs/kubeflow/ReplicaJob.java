package dev.sluice.jobs.kubeflow;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.PodTemplates;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The progress of a job that maps roles to replicas: the jobs of kubeflow.org/v1, and the MPIJob.
 *
 * @param tree the job
 * @param replicas the field of the spec that maps roles to replicas
 * @param roles the roles that the job has, in the order of the kind
 */
public record ReplicaJob(JsonNode tree, String replicas, List<String> roles)
    implements TemplatedJob.Progress {
  private static final String INDEX = "training.kubeflow.org/replica-index";
  private static final String SPEC = "spec";
  private static final String TEMPLATE = "template";
  private static final String RUN_POLICY = "runPolicy";

  public ReplicaJob {
    requireNonNull(tree, "tree");
    requireNonNull(replicas, "replicas");
    roles = List.copyOf(roles);
  }

  /**
   * A job of such a kind.
   *
   * @param replicas the field of the spec that maps roles to replicas
   * @param roles all roles that the kind knows, in its order
   */
  public static Job job(Framework framework, JsonNode tree, String replicas, List<String> roles) {
    JsonNode map = tree.path(SPEC).path(replicas);
    List<String> present = roles.stream().filter(it -> map.path(it).isObject()).toList();
    return TemplatedJob.of(
        framework,
        tree,
        List.of(SPEC, RUN_POLICY, "suspend"),
        PodTemplates.at(
            () -> present.stream().map(it -> List.of(SPEC, replicas, it, TEMPLATE)).toList()),
        new ReplicaJob(tree, replicas, present));
  }

  private JsonNode spec() {
    return tree.path(SPEC);
  }

  @Override
  public List<String> managedBy() {
    return List.of(SPEC, RUN_POLICY, "managedBy");
  }

  @Override
  public boolean isActive() {
    return tree.path("status")
        .path("replicaStatuses")
        .valueStream()
        .anyMatch(it -> it.path("active").asInt() != 0);
  }

  @Override
  public boolean isReady() {
    return Conditions.isTrue(tree, "Running");
  }

  @Override
  public Optional<Job.Finish> finish() {
    return TemplatedJob.finish(tree, List.of("Succeeded"), List.of("Failed"));
  }

  /** The first role whose template names a class counts if the policy names none. */
  @Override
  public String priorityClass() {
    return spec().path(RUN_POLICY).path("schedulingPolicy").path("priorityClass").asText("");
  }

  @Override
  public List<PodSetShape> podSets() {
    return roles.stream().map(it -> podSet(it, spec().path(replicas).path(it))).toList();
  }

  private static PodSetShape podSet(String role, JsonNode spec) {
    JsonNode template = spec.path(TEMPLATE);
    return new PodSetShape(
        role.toLowerCase(Locale.ROOT),
        PodSetShape.template(template, List.of()),
        spec.path("replicas").asInt(1),
        OptionalInt.empty(),
        PodSetTopology.request(template.path("metadata").path("annotations"), INDEX));
  }
}
