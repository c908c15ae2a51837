package dev.sluice.jobs.appwrapper;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.batch.BatchJob;
import dev.sluice.jobs.object.TemplatePaths;
import dev.sluice.jobs.workload.PodSetShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pods that a component of an AppWrapper runs, all from one template.
 *
 * @param component the index of the component
 * @param path the steps from the component to the template; an item of a list is named by its index
 * @param count how many there are
 */
record WrappedPods(int component, List<String> path, int count) {
  private static final int LONGEST_PATH = 256;
  private static final int MAX_COMPONENTS = 512;
  private static final int MAX_POD_SETS = 64;
  private static final String REPLICAS = "replicas";
  private static final String TEMPLATE = "template";
  private static final List<String> POD_TEMPLATE = List.of(TEMPLATE, "spec", TEMPLATE);

  WrappedPods {
    requireNonNull(path, "path");
    path = List.copyOf(path);
  }

  /**
   * Those of all components, in order: what a component declares, else what its controller has
   * found, else what is known of the wrapped kind.
   */
  static List<WrappedPods> of(JsonNode appWrapper) {
    List<WrappedPods> all = new ArrayList<>();
    JsonNode components = appWrapper.path("spec").path("components");
    for (int i = 0; i < Math.min(MAX_COMPONENTS, components.size()); i++) {
      JsonNode found = appWrapper.path("status").path("componentStatus").path(i);
      all.addAll(of(i, components.path(i), found));
    }
    return all;
  }

  private static List<WrappedPods> of(int index, JsonNode component, JsonNode found) {
    for (JsonNode holder : List.of(component, found)) {
      List<WrappedPods> declared = declared(index, holder.path("podSets"));
      if (!declared.isEmpty()) {
        return declared;
      }
    }
    return new Inference(index, component.path(TEMPLATE)).podSets();
  }

  private static List<WrappedPods> declared(int component, JsonNode podSets) {
    List<WrappedPods> declared = new ArrayList<>();
    for (JsonNode it : podSets) {
      String path = it.path("path").asText("");
      if (path.length() <= LONGEST_PATH && declared.size() < MAX_POD_SETS) {
        declared.add(new WrappedPods(component, steps(path), it.path(REPLICAS).asInt(1)));
      }
    }
    return declared;
  }

  /** Such as {@code template.spec.workerGroupSpecs[0].template}. */
  private static List<String> steps(String path) {
    return Arrays.stream(path.split("[.\\[\\]]")).filter(it -> !it.isEmpty()).toList();
  }

  /** What the Pods are made from; missing if nothing is there. */
  JsonNode template(JsonNode appWrapper) {
    return TemplatePaths.at(appWrapper.path("spec").path("components").path(component), path);
  }

  /** Where the controller of AppWrappers finds the Pods of the kinds that it knows. */
  private record Inference(int component, JsonNode wrapped) {
    List<WrappedPods> podSets() {
      JsonNode spec = wrapped.path("spec");
      return switch (wrapped.path("apiVersion").asText() + " " + wrapped.path("kind").asText()) {
        case "v1 Pod" -> List.of(one(List.of(TEMPLATE), 1));
        case "apps/v1 Deployment", "apps/v1 StatefulSet" ->
            List.of(one(POD_TEMPLATE, spec.path(REPLICAS).asInt(1)));
        case "batch/v1 Job" -> List.of(one(POD_TEMPLATE, BatchJob.pods(spec)));
        case "jobset.x-k8s.io/v1alpha2 JobSet" -> jobs(spec);
        case "kubeflow.org/v1 PyTorchJob" -> roles(spec.path("pytorchReplicaSpecs"));
        case "ray.io/v1 RayCluster" -> cluster(spec, List.of(TEMPLATE, "spec"));
        case "ray.io/v1 RayJob" ->
            cluster(spec.path("rayClusterSpec"), List.of(TEMPLATE, "spec", "rayClusterSpec"));
        default -> List.of();
      };
    }

    private WrappedPods one(List<String> path, int count) {
      return new WrappedPods(component, path, count);
    }

    private List<WrappedPods> jobs(JsonNode spec) {
      List<WrappedPods> all = new ArrayList<>();
      for (JsonNode job : spec.path("replicatedJobs")) {
        String index = String.valueOf(all.size());
        List<String> path =
            List.of(TEMPLATE, "spec", "replicatedJobs", index, TEMPLATE, "spec", TEMPLATE);
        int each = BatchJob.pods(job.path(TEMPLATE).path("spec"));
        all.add(one(path, PodSetShape.pods(job.path(REPLICAS).asInt(1), each)));
      }
      return all;
    }

    private List<WrappedPods> roles(JsonNode specs) {
      List<WrappedPods> all = new ArrayList<>();
      for (String role : List.of("Master", "Worker")) {
        if (specs.path(role).has(TEMPLATE)) {
          List<String> path = List.of(TEMPLATE, "spec", "pytorchReplicaSpecs", role, TEMPLATE);
          all.add(one(path, specs.path(role).path(REPLICAS).asInt(1)));
        }
      }
      return all;
    }

    private List<WrappedPods> cluster(JsonNode spec, List<String> start) {
      List<WrappedPods> all = new ArrayList<>();
      all.add(one(join(start, "headGroupSpec", TEMPLATE), 1));
      JsonNode groups = spec.path("workerGroupSpecs");
      for (int i = 0; i < groups.size(); i++) {
        JsonNode group = groups.path(i);
        int count =
            PodSetShape.pods(group.path(REPLICAS).asInt(1), group.path("numOfHosts").asInt(1));
        all.add(one(join(start, "workerGroupSpecs", String.valueOf(i), TEMPLATE), count));
      }
      return all;
    }

    private static List<String> join(List<String> start, String... rest) {
      List<String> path = new ArrayList<>(start);
      path.addAll(List.of(rest));
      return path;
    }
  }
}
