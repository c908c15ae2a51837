package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.List;

/** A Job of so many Pods, all at the same time, whose controller is not there. */
record BatchJobStory(int pods) implements KindStory {
  private static final String TIME = "2026-01-01T00:00:00Z";

  @Override
  public Framework framework() {
    return Framework.JOB;
  }

  @Override
  public List<String> definitions() {
    return List.of();
  }

  @Override
  public List<String> podSets() {
    return List.of("main=" + pods);
  }

  @Override
  public void adjust(ObjectNode job) {
    job.withObject("/spec").put("parallelism", pods).put("completions", pods);
  }

  /** Its template may only change while it has no start time, so once its Pods are gone. */
  @Override
  public boolean isRestoredAtOnce() {
    return false;
  }

  @Override
  public List<JsonNode> templates(KindScene scene) {
    return List.of(scene.job().at("/spec/template"));
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = status.putArray("conditions");
    switch (phase) {
      case PODS_CREATED -> status.put("startTime", TIME).put("active", pods).put("ready", 0);
      case READY -> status.put("startTime", TIME).put("active", pods).put("ready", pods);
      case STOPPED -> Conditions.add(conditions, "Suspended", true, "Job suspended");
      case SUCCEEDED -> {
        status.put("startTime", TIME).put("completionTime", TIME).put("succeeded", pods);
        Conditions.add(conditions, "SuccessCriteriaMet", true, message);
        Conditions.add(conditions, "Complete", true, message);
      }
      case FAILED -> {
        status.put("startTime", TIME).put("failed", 1);
        Conditions.add(conditions, "FailureTarget", true, message);
        Conditions.add(conditions, "Failed", true, message);
      }
    }
    return status;
  }
}
