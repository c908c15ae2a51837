package dev.sluice.jobs.ray;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.TemplatePaths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import dev.sluice.rules.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The Pods of a Ray cluster: those of its head and of each group of workers. */
final class RayPods {
  private static final String FAULT_TOLERANT = "ray.io/ft-enabled";

  private RayPods() {}

  /**
   * Whether the cluster keeps data in Redis, which its operator deletes after it: by the
   * specification of the cluster, or by an annotation, which the operator copies to the cluster.
   */
  static boolean useRedis(JsonNode job, JsonNode cluster) {
    return cluster.path("gcsFaultToleranceOptions").isObject()
        || JobObject.of(job).annotationText(FAULT_TOLERANT).equalsIgnoreCase("true");
  }

  /**
   * The ways to the templates, in the order of the Pod sets.
   *
   * @param at the way to the specification of the cluster
   */
  static List<List<String>> templates(JsonNode object, List<String> at) {
    List<List<String>> ways = new ArrayList<>();
    ways.add(join(at, "headGroupSpec", "template"));
    for (int i = 0; i < TemplatePaths.at(object, at).path("workerGroupSpecs").size(); i++) {
      ways.add(join(at, "workerGroupSpecs", String.valueOf(i), "template"));
    }
    return ways;
  }

  private static List<String> join(List<String> start, String... rest) {
    List<String> way = new ArrayList<>(start);
    way.addAll(List.of(rest));
    return way;
  }

  /**
   * The Pod sets of a cluster.
   *
   * @param spec the specification of the cluster
   * @param sized one with the current number of workers; it may be the same
   * @param usesRedis whether a Pod deletes data in Redis after the cluster
   */
  static List<PodSetShape> podSets(JsonNode spec, JsonNode sized, boolean usesRedis) {
    Map<String, Integer> sizes = new HashMap<>();
    sets(sized).forEach(it -> sizes.put(it.name(), count(it)));
    List<PodSetShape> podSets = new ArrayList<>();
    for (PodSet set : sets(spec)) {
      JsonNode template =
          podSets.isEmpty()
              ? HeadPod.template(spec, usesRedis)
              : ofWorkers(spec.path("workerGroupSpecs").path(podSets.size() - 1));
      podSets.add(podSet(set.name(), template, sizes.getOrDefault(set.name(), count(set))));
    }
    return podSets;
  }

  private static JsonNode ofWorkers(JsonNode group) {
    return PodSetShape.template(group.path("template"), List.of());
  }

  private static List<PodSet> sets(JsonNode spec) {
    return new RayClusterSpec(Field.root(spec)).podSets();
  }

  private static int count(PodSet set) {
    return Math.clamp(set.count(), 0, Integer.MAX_VALUE);
  }

  /** One set of Pods, placed as the annotations of their template ask. */
  static PodSetShape podSet(String name, JsonNode template, int count) {
    return new PodSetShape(
        name,
        template,
        count,
        OptionalInt.empty(),
        PodSetTopology.request(template.path("metadata").path("annotations")));
  }
}
