package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.List;

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
  public List<JsonNode> templates(JsonNode job) {
    return List.of(
        job.at("/spec/replicatedJobs/0/template/spec/template"),
        job.at("/spec/replicatedJobs/1/template/spec/template"));
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = status.putArray("conditions");
    switch (phase) {
      case PODS_CREATED, READY -> {}
      case STOPPED -> Conditions.add(conditions, "Suspended", true, "jobset is suspended");
      case SUCCEEDED -> Conditions.add(conditions, "Completed", true, message);
      case FAILED -> Conditions.add(conditions, "Failed", true, message);
    }
    ArrayNode jobs = status.putArray("replicatedJobsStatus");
    add(jobs, "driver", 1, phase);
    add(jobs, "workers", 2, phase);
    return status;
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
