package dev.sluice.jobs.workload;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Patches;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Pods of a job that are all alike, as its Workload has them.
 *
 * @param template with labels and annotations as metadata, and the spec of the Pods
 * @param topology what is asked of their places; empty if nothing
 */
public record PodSetShape(
    String name, ObjectNode template, int count, OptionalInt minCount, ObjectNode topology) {
  public PodSetShape {
    requireNonNull(name, "name");
    requireNonNull(template, "template");
  }

  /**
   * Pods made from a template.
   *
   * @param source where labels, annotations and the spec are
   * @param without labels that the Workload does not need to know
   */
  public static ObjectNode template(JsonNode source, List<String> without) {
    ObjectNode template = Patches.object();
    if (source.path("metadata").isObject()) {
      ObjectNode metadata = template.putObject("metadata");
      for (String map : List.of("annotations", "labels")) {
        if (source.path("metadata").path(map) instanceof ObjectNode all) {
          ObjectNode kept = all.deepCopy();
          kept.remove(without);
          if (!kept.isEmpty() || all.isEmpty()) {
            metadata.set(map, kept);
          }
        }
      }
    }
    template.set("spec", podSpec(source.path("spec")));
    return template;
  }

  /** A copy of the spec, each variable of the environment once, with the value that counts. */
  public static ObjectNode podSpec(JsonNode spec) {
    ObjectNode copy = spec.deepCopy() instanceof ObjectNode it ? it : Patches.object();
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : copy.path(list)) {
        if (container.path("env") instanceof ArrayNode env) {
          keepLast(env);
        }
      }
    }
    return copy;
  }

  private static void keepLast(ArrayNode env) {
    Map<String, JsonNode> last = new LinkedHashMap<>();
    for (JsonNode variable : env) {
      last.remove(variable.path("name").asText());
      last.put(variable.path("name").asText(), variable);
    }
    if (last.size() != env.size()) {
      env.removeAll();
      last.values().forEach(env::add);
    }
  }

  /** As it stands in a Workload. */
  public ObjectNode tree(boolean partialAdmission) {
    ObjectNode tree = Patches.object();
    tree.put("name", name).put("count", count);
    if (partialAdmission && minCount.isPresent()) {
      tree.put("minCount", minCount.getAsInt());
    }
    tree.set("template", template);
    if (!topology.isEmpty()) {
      tree.set("topologyRequest", topology);
    }
    return tree;
  }
}
