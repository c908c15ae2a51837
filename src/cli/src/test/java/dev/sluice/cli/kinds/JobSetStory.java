package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.List;
import java.util.Map;

/** A JobSet of a driver and two Jobs of workers. */
record JobSetStory() implements KindStory {
  @Override
  public Framework framework() {
    return Framework.JOB_SET;
  }

  @Override
  public List<String> definitions() {
    return List.of(Resources.text("kinds/jobset.yaml"));
  }

  @Override
  public List<String> podSets() {
    return List.of("driver=1", "workers=4");
  }

  @Override
  public List<JsonNode> templates(KindScene scene) {
    JsonNode job = scene.job();
    return List.of(
        job.at("/spec/replicatedJobs/0/template/spec/template"),
        job.at("/spec/replicatedJobs/1/template/spec/template"));
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    return status(phase, message, Map.of("driver", 1, "workers", 2));
  }

  /**
   * What its controller writes.
   *
   * @param jobs how many Jobs there are of each replicated Job
   */
  static ObjectNode status(Phase phase, String message, Map<String, Integer> jobs) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = status.putArray("conditions");
    switch (phase) {
      case PODS_CREATED, READY -> {}
      case STOPPED -> Conditions.add(conditions, "Suspended", true, "jobset is suspended");
      case SUCCEEDED -> Conditions.add(conditions, "Completed", true, message);
      case FAILED -> Conditions.add(conditions, "Failed", true, message);
    }
    status.set("replicatedJobsStatus", jobsStatus(phase, jobs));
    return status;
  }

  static ArrayNode jobsStatus(Phase phase, Map<String, Integer> jobs) {
    ArrayNode statuses = JsonNodeFactory.instance.arrayNode();
    jobs.forEach((name, count) -> add(statuses, name, count, phase));
    return statuses;
  }

  private static void add(ArrayNode jobs, String name, int count, Phase phase) {
    boolean isActive = phase == Phase.PODS_CREATED || phase == Phase.READY;
    jobs.addObject()
        .put("name", name)
        .put("active", isActive ? count : 0)
        .put("ready", phase == Phase.READY ? count : 0)
        .put("succeeded", phase == Phase.SUCCEEDED ? count : 0)
        .put("failed", phase == Phase.FAILED ? count : 0)
        .put("suspended", phase == Phase.STOPPED ? count : 0);
  }
}
