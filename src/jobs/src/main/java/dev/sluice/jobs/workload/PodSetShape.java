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
 * A Pod set of a job, as in its Workload.
 *
 * @param template with labels and annotations as metadata, and the spec of the Pods
 * @param topology the topology request; empty if there is none
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
   * @param without labels that the Workload does not need
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

  /**
   * The same for a template in a field that the API server does not know: without nulls, which a
   * Workload must not have.
   */
  public static ObjectNode rawTemplate(JsonNode source) {
    JsonNode copy = source.deepCopy();
    removeNulls(copy);
    return template(copy, List.of());
  }

  private static void removeNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.removeIf(JsonNode::isNull);
    }
    node.forEach(PodSetShape::removeNulls);
  }

  /**
   * A copy of the spec, each variable of the environment once, with the value that counts, and with
   * the default that a Workload gets when it is stored.
   */
  public static ObjectNode podSpec(JsonNode spec) {
    ObjectNode copy = spec.deepCopy() instanceof ObjectNode it ? it : Patches.object();
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : copy.path(list)) {
        if (container.path("env") instanceof ArrayNode env) {
          keepLast(env);
        }
        container.path("ports").forEach(PodSetShape::setProtocol);
      }
    }
    return copy;
  }

  private static void setProtocol(JsonNode port) {
    if (port instanceof ObjectNode object && !object.has("protocol")) {
      object.put("protocol", "TCP");
    }
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

  /** The same, which is admitted whole or not at all. */
  public PodSetShape withoutMinimum() {
    return new PodSetShape(name, template, count, OptionalInt.empty(), topology);
  }

  /** As written in a Workload. */
  public ObjectNode tree() {
    ObjectNode tree = Patches.object();
    tree.put("name", name).put("count", count);
    if (minCount.isPresent()) {
      tree.put("minCount", minCount.getAsInt());
    }
    tree.set("template", template);
    if (!topology.isEmpty()) {
      tree.set("topologyRequest", topology);
    }
    return tree;
  }
}
