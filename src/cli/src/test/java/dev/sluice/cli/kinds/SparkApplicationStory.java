package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.List;
import java.util.stream.Stream;

/** A Spark application with a node selector for both roles. */
record SparkApplicationStory() implements KindStory {
  @Override
  public Framework framework() {
    return Framework.SPARK_APPLICATION;
  }

  @Override
  public List<String> definitions() {
    return List.of(Resources.text("kinds/sparkapplication.yaml"));
  }

  @Override
  public List<String> podSets() {
    return List.of("driver=1", "executor=2");
  }

  /** Driver and executor have labels, node selector and tolerations of their own. */
  @Override
  public List<JsonNode> templates(KindScene scene) {
    JsonNode job = scene.job();
    return Stream.of("driver", "executor").map(it -> template(job.path("spec").path(it))).toList();
  }

  private static JsonNode template(JsonNode role) {
    ObjectNode template = JsonNodeFactory.instance.objectNode();
    template.set("metadata", role);
    template.set("spec", role);
    return template;
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    ObjectNode state = status.putObject("applicationState").put("state", stateOf(phase));
    if (phase == Phase.FAILED) {
      state.put("errorMessage", message);
    }
    if (phase == Phase.READY) {
      status.putObject("executorState").put("exec-1", "RUNNING").put("exec-2", "RUNNING");
    }
    return status;
  }

  private static String stateOf(Phase phase) {
    return switch (phase) {
      case PODS_CREATED -> "SUBMITTED";
      case READY -> "RUNNING";
      case STOPPED -> "SUSPENDED";
      case SUCCEEDED -> "COMPLETED";
      case FAILED -> "FAILED";
    };
  }

  /** Its operator has no words for a success. */
  @Override
  public String end(Phase phase, String message) {
    return phase == Phase.SUCCEEDED ? "The application is COMPLETED" : message;
  }
}
