package dev.sluice.jobs.jobset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.batch.BatchJob;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.PodTemplates;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The progress of a JobSet: several Jobs, each with a number of replicas.
 *
 * @param tree the JobSet
 */
public record JobSets(JsonNode tree) implements TemplatedJob.Progress {
  private static final String JOB_INDEX = "jobset.sigs.k8s.io/job-index";

  /** The JobSet as a job. */
  public static Job job(JsonNode tree) {
    return TemplatedJob.of(
        Framework.JOB_SET,
        tree,
        List.of("spec", "suspend"),
        PodTemplates.at(() -> templates(tree)),
        new JobSets(tree));
  }

  private static List<List<String>> templates(JsonNode tree) {
    List<List<String>> templates = new ArrayList<>();
    for (int i = 0; i < tree.path("spec").path("replicatedJobs").size(); i++) {
      templates.add(
          List.of("spec", "replicatedJobs", String.valueOf(i), "template", "spec", "template"));
    }
    return templates;
  }

  /** Its Jobs, in the order of its Pod sets. */
  public List<JsonNode> jobs() {
    return WorkloadView.items(tree.path("spec").path("replicatedJobs"));
  }

  private List<JsonNode> statuses() {
    return WorkloadView.items(tree.path("status").path("replicatedJobsStatus"));
  }

  private static int replicas(JsonNode job) {
    return job.path("replicas").asInt(1);
  }

  private static int podsEach(JsonNode job) {
    return BatchJob.pods(job.path("template").path("spec"));
  }

  private static String name(JsonNode job) {
    return job.path("name").asText().toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean isActive() {
    return statuses().stream().anyMatch(it -> it.path("active").asInt() > 0);
  }

  @Override
  public boolean isReady() {
    int up = 0;
    for (JsonNode status : statuses()) {
      up += status.path("ready").asInt() + status.path("succeeded").asInt();
    }
    return up == jobs().stream().mapToInt(JobSets::replicas).sum();
  }

  @Override
  public Optional<Job.Finish> finish() {
    return TemplatedJob.finish(tree, List.of("Completed"), List.of("Failed"));
  }

  @Override
  public List<PodSetShape> podSets() {
    return jobs().stream().map(JobSets::podSet).toList();
  }

  private static PodSetShape podSet(JsonNode job) {
    JsonNode template = job.path("template").path("spec").path("template");
    ObjectNode topology =
        PodSetTopology.request(template.path("metadata").path("annotations"), BatchJob.INDEX);
    topology.put("subGroupIndexLabel", JOB_INDEX).put("subGroupCount", replicas(job));
    return new PodSetShape(
        name(job),
        PodSetShape.template(template, List.of()),
        PodSetShape.pods(replicas(job), podsEach(job)),
        OptionalInt.empty(),
        topology);
  }

  @Override
  public Map<String, Integer> reclaimable() {
    Map<String, Integer> reclaimable = new LinkedHashMap<>();
    for (JsonNode job : jobs()) {
      int succeeded =
          statuses().stream()
              .filter(it -> it.path("name").equals(job.path("name")))
              .mapToInt(it -> it.path("succeeded").asInt())
              .sum();
      if (succeeded > 0 && succeeded <= replicas(job)) {
        reclaimable.put(name(job), succeeded * podsEach(job));
      }
    }
    return reclaimable;
  }
}
