package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.ConditionTypes;
import java.util.ArrayList;
import java.util.List;

/** An AppWrapper of a Job, whose Pods are inferred, and a Pod. */
record AppWrapperStory() implements KindStory {
  @Override
  public Framework framework() {
    return Framework.APP_WRAPPER;
  }

  @Override
  public List<String> definitions() {
    return List.of(Resources.text("kinds/appwrapper.yaml"));
  }

  @Override
  public List<String> podSets() {
    return List.of("job-and-pod-0=2", "job-and-pod-1=1");
  }

  /** What its controller adds to the Pods stands beside the components. */
  @Override
  public List<JsonNode> templates(KindScene scene) {
    JsonNode job = scene.job();
    List<JsonNode> templates = new ArrayList<>();
    for (JsonNode component : job.at("/spec/components")) {
      JsonNode info = component.at("/podSetInfos/0");
      ObjectNode template = JsonNodeFactory.instance.objectNode();
      template.set("metadata", info);
      template.set("spec", info);
      templates.add(template);
    }
    return templates;
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("phase", phaseOf(phase));
    ArrayNode conditions = status.putArray("conditions");
    boolean runs = phase == Phase.PODS_CREATED || phase == Phase.READY;
    Conditions.add(conditions, ConditionTypes.QUOTA_RESERVED, runs, message);
    Conditions.add(conditions, "ResourcesDeployed", runs, message);
    Conditions.add(conditions, ConditionTypes.PODS_READY, phase == Phase.READY, "");
    Conditions.add(conditions, "Unhealthy", phase == Phase.FAILED, message);
    return status;
  }

  private static String phaseOf(Phase phase) {
    return switch (phase) {
      case PODS_CREATED, READY -> "Running";
      case STOPPED -> "Suspended";
      case SUCCEEDED -> "Succeeded";
      case FAILED -> "Failed";
    };
  }
}
