package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.rules.SameValue;
import java.util.List;

/**
 * The Pod that hands the task of a RayJob to its cluster, or the container of the head that does.
 *
 * @param spec the specification of the RayJob
 */
record Submitter(JsonNode spec) {
  static final String NAME = "submitter";
  static final String TEMPLATE = "submitterPodTemplate";

  private String mode() {
    return spec.path("submissionMode").asText("K8sJobMode");
  }

  /** Whether it is a Pod of its own. */
  boolean isPod() {
    return mode().equals("K8sJobMode");
  }

  /** Whether it is a container of the head. */
  boolean isSidecar() {
    return mode().equals("SidecarMode");
  }

  private boolean hasTemplate() {
    return spec.path(TEMPLATE).isObject();
  }

  PodSetShape podSet() {
    JsonNode template = hasTemplate() ? spec.path(TEMPLATE) : template();
    return RayPods.podSet(NAME, PodSetShape.template(template, List.of()), 1);
  }

  /** The template that the operator takes if the job has none. */
  private ObjectNode template() {
    ObjectNode template = Patches.object();
    ObjectNode pod = template.putObject("spec");
    pod.putArray("containers").add(container());
    pod.put("restartPolicy", "Never");
    JsonNode secrets = head().path("spec").path("imagePullSecrets");
    if (!secrets.isEmpty()) {
      pod.set("imagePullSecrets", secrets.deepCopy());
    }
    return template;
  }

  private JsonNode head() {
    return spec.path("rayClusterSpec").path("headGroupSpec").path("template");
  }

  ObjectNode container() {
    ObjectNode container = Patches.object().put("name", "ray-job-submitter");
    for (String member : List.of("image", "imagePullPolicy")) {
      JsonNode value = HeadPod.rayContainer(head()).path(member);
      if (value.isTextual()) {
        container.set(member, value);
      }
    }
    ObjectNode resources = container.putObject("resources");
    resources.putObject("requests").put("cpu", "500m").put("memory", "200Mi");
    resources.putObject("limits").put("cpu", "1").put("memory", "1Gi");
    return container;
  }

  /** Writes the template out that the operator would take. */
  void addTemplate(ObjectNode jobSpec) {
    if (isPod() && !hasTemplate()) {
      jobSpec.set(TEMPLATE, template());
    }
  }

  /** Removes the template if the Workload remembers none but that of the operator. */
  void removeTemplate(ObjectNode jobSpec, JsonNode remembered) {
    if (isPod()
        && SameValue.of(remembered.path("spec"), template().path("spec"))
        && remembered.path("metadata").isEmpty()) {
      jobSpec.remove(TEMPLATE);
    }
  }
}
