package dev.sluice.jobs.workload;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.Quantity;
import dev.sluice.jobs.plan.Patches;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A Pod set of a job, as in its Workload. Every plan reads the Pod sets of its job and compares
 * them with the Workload. To make that cheap, they share data with the job.
 *
 * @param template with labels and annotations as metadata, and the spec of the Pods; not to be
 *     changed, since parts of it may belong to the job
 * @param topology the topology request; empty if there is none
 */
public record PodSetShape(
    String name, JsonNode template, int count, OptionalInt minCount, ObjectNode topology) {
  private static final List<String> CONTAINERS = List.of("initContainers", "containers");

  /** Maps of names to amounts. */
  private static final List<String> AMOUNTS = List.of("requests", "limits", "overhead");

  public PodSetShape {
    requireNonNull(name, "name");
    requireNonNull(template, "template");
  }

  /** The Pods of so many jobs with so many each, at most as many as a Workload can count. */
  public static int pods(int jobs, int each) {
    return Math.clamp((long) jobs * each, 0, Integer.MAX_VALUE);
  }

  /**
   * Pods made from a template. The result shares parts with it.
   *
   * @param source where labels, annotations and the spec are
   * @param without labels that the Workload does not need
   */
  public static JsonNode template(JsonNode source, Collection<String> without) {
    ObjectNode template = Patches.object();
    if (source.path("metadata").isObject()) {
      ObjectNode metadata = template.putObject("metadata");
      for (String map : List.of("annotations", "labels")) {
        if (source.path("metadata").path(map) instanceof ObjectNode all) {
          ObjectNode kept = without(all, without);
          if (!kept.isEmpty() || all.isEmpty()) {
            metadata.set(map, kept);
          }
        }
      }
    }
    template.set("spec", podSpec(source.path("spec")));
    return template;
  }

  private static ObjectNode without(ObjectNode map, Collection<String> keys) {
    return keys.stream().anyMatch(map::has) ? map.deepCopy().remove(keys) : map;
  }

  /** The same for a template in a field that the API server does not know. */
  public static JsonNode rawTemplate(JsonNode source) {
    return template(storable(source), List.of());
  }

  /**
   * A copy as a Workload can have it: without members that are null, and with fractions of amounts
   * as text.
   */
  public static JsonNode storable(JsonNode source) {
    JsonNode copy = source.deepCopy();
    removeNulls(copy);
    AMOUNTS.stream()
        .flatMap(it -> copy.findValues(it).stream())
        .forEach(PodSetShape::writeFractionsAsText);
    return copy;
  }

  private static void removeNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.removeIf(JsonNode::isNull);
    }
    node.forEach(PodSetShape::removeNulls);
  }

  private static void writeFractionsAsText(JsonNode amounts) {
    for (Map.Entry<String, JsonNode> amount : amounts.properties()) {
      if (amount.getValue().isFloatingPointNumber()) {
        Quantity.parse(amount.getValue().asText())
            .ifPresent(it -> amount.setValue(TextNode.valueOf(it.toString())));
      }
    }
  }

  /**
   * The spec with each variable of the environment once, with the value that counts, and with the
   * default that a Workload gets when it is stored. It is the given one if that is so already.
   */
  public static JsonNode podSpec(JsonNode spec) {
    if (!(spec instanceof ObjectNode)) {
      return Patches.object();
    }
    if (CONTAINERS.stream().allMatch(it -> isAsStored(spec.path(it)))) {
      return spec;
    }
    JsonNode copy = spec.deepCopy();
    for (String list : CONTAINERS) {
      for (JsonNode container : copy.path(list)) {
        if (container.path("env") instanceof ArrayNode env) {
          keepLast(env);
        }
        container.path("ports").forEach(PodSetShape::setProtocol);
      }
    }
    return copy;
  }

  private static boolean isAsStored(JsonNode containers) {
    for (JsonNode container : containers) {
      if (hasDuplicates(container.path("env")) || lacksProtocol(container.path("ports"))) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasDuplicates(JsonNode env) {
    Set<String> names = new HashSet<>();
    for (JsonNode variable : env) {
      if (!names.add(variable.path("name").asText())) {
        return true;
      }
    }
    return false;
  }

  private static boolean lacksProtocol(JsonNode ports) {
    for (JsonNode port : ports) {
      if (!port.has("protocol")) {
        return true;
      }
    }
    return false;
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

  /** The same with another template. */
  public PodSetShape with(JsonNode other) {
    return new PodSetShape(name, other, count, minCount, topology);
  }

  /** As written in a Workload: a copy, which may be changed. */
  public ObjectNode tree() {
    ObjectNode tree = Patches.object();
    tree.put("name", name).put("count", count);
    if (minCount.isPresent()) {
      tree.put("minCount", minCount.getAsInt());
    }
    tree.set("template", template.deepCopy());
    if (!topology.isEmpty()) {
      tree.set("topologyRequest", topology.deepCopy());
    }
    return tree;
  }
}
