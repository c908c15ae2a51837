package dev.sluice.jobs.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;

/**
 * The sizes of elastic jobs of a kind.
 *
 * @param isOn whether jobs may be elastic at all
 */
public record ElasticSizes(boolean isOn) {
  /** As these settings say. */
  public static ElasticSizes of(JobSettings settings) {
    return new ElasticSizes(settings.isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES));
  }

  /** Whether that job may change its size while it runs. */
  public boolean areOf(JsonNode job) {
    return isOn && JobObject.of(job).asksToBeElastic();
  }

  /** Whether Pod sets of an elastic job are as large as those of a Workload; else true. */
  public boolean equal(JsonNode job, List<PodSetShape> podSets, JsonNode workload) {
    List<Integer> wanted = podSets.stream().map(PodSetShape::count).toList();
    List<Integer> given =
        new WorkloadView(workload).podSets().stream().map(it -> it.path("count").asInt(1)).toList();
    return !areOf(job) || wanted.equals(given);
  }
}
