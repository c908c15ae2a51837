package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.reconcile.PodTemplates;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.rules.SameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The Pod that hands the task of a RayJob to its cluster, or the container of the head that does.
 *
 * @param spec the specification of the RayJob
 */
record Submitter(JsonNode spec) {
  private static final String NAME = "submitter";
  private static final String TEMPLATE = "submitterPodTemplate";

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

  /**
   * Where the job takes what an admission adds.
   *
   * @param cluster the ways to the templates of the cluster
   */
  PodTemplates templates(Supplier<List<List<String>>> cluster) {
    return isPod() ? new WithSubmitter(this, cluster) : PodTemplates.at(cluster);
  }

  /**
   * The template of the submitter comes last. A job without one gets that of the operator while it
   * runs, or the Pod of the submitter would get nothing of what was assigned.
   */
  private record WithSubmitter(Submitter submitter, Supplier<List<List<String>>> cluster)
      implements PodTemplates {
    private PodTemplates all() {
      return PodTemplates.at(
          () -> {
            List<List<String>> ways = new ArrayList<>(cluster.get());
            ways.add(List.of("spec", TEMPLATE));
            return ways;
          });
    }

    @Override
    public Optional<String> inject(ObjectNode job, List<Injection> injections) {
      if (!submitter.hasTemplate()) {
        Patches.child(job, "spec").set(TEMPLATE, submitter.template());
      }
      return all().inject(job, injections);
    }

    @Override
    public void restore(ObjectNode job, List<JsonNode> podSets) {
      all().restore(job, podSets);
      if (submitter.isOfOperator(podSets.getLast().path("template"))) {
        Patches.child(job, "spec").remove(TEMPLATE);
      }
    }
  }

  private boolean isOfOperator(JsonNode template) {
    return template.path("metadata").isEmpty()
        && SameValue.of(template.path("spec"), template().path("spec"));
  }
}
