package dev.sluice.jobs.spark;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The progress of a Spark application.
 *
 * @param tree the application
 */
record SparkApplicationJob(JsonNode tree) implements TemplatedJob.Progress {
  /** States without Pods. */
  private static final Set<String> AT_REST =
      Set.of("", "SUSPENDED", "COMPLETED", "FAILED", "SUBMISSION_FAILED");

  private static final Set<String> UP = Set.of("RUNNING", "COMPLETED");

  static Job job(JsonNode tree) {
    return TemplatedJob.of(
        Framework.SPARK_APPLICATION,
        tree,
        List.of("spec", "suspend"),
        new SparkTemplates(),
        new SparkApplicationJob(tree));
  }

  private JsonNode status() {
    return tree.path("status");
  }

  private String state() {
    return status().path("applicationState").path("state").asText("");
  }

  private SparkPods pods(String role) {
    return new SparkPods(tree.path("spec"), role);
  }

  @Override
  public boolean isActive() {
    return !AT_REST.contains(state());
  }

  @Override
  public boolean isReady() {
    long up =
        status().path("executorState").valueStream().filter(it -> UP.contains(it.asText())).count();
    return state().equals("RUNNING") && up >= pods(SparkPods.EXECUTOR).count();
  }

  @Override
  public Optional<Job.Finish> finish() {
    return switch (state()) {
      case "COMPLETED" -> Optional.of(new Job.Finish(true, message()));
      case "FAILED", "SUBMISSION_FAILED" -> Optional.of(new Job.Finish(false, message()));
      default -> Optional.empty();
    };
  }

  /** The operator has words for failures only. */
  private String message() {
    String error = status().path("applicationState").path("errorMessage").asText("");
    return error.isEmpty() ? "The application is " + state() : error;
  }

  @Override
  public List<PodSetShape> podSets() {
    return SparkPods.ROLES.stream().map(it -> pods(it).podSet()).toList();
  }
}
