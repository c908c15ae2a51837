package dev.sluice.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.ObjectKind;
import dev.sluice.server.program.CommandException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Replaces names, uids, and keys and values of labels, taints and selectors, the same by the same
 * everywhere. The order of the new texts is that of the old ones, since it decides between equals.
 * Messages become empty; names of resources, classes of Kubernetes and times stay.
 */
final class Anonymizer {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Fields whose text is a name. */
  private static final Set<String> NAMES =
      Set.of(
          "namespace",
          "uid",
          "cohortName",
          "cohort",
          "parentName",
          "queueName",
          "clusterQueue",
          "topologyName",
          "nodeName",
          "runtimeClassName",
          "schedulerName",
          "priorityClassName",
          "controllerName",
          "clusterName",
          "nominatedClusterNames",
          "resourceClaimTemplateName",
          "deviceClassName");

  /** Fields that hold labels, and what chooses by them. */
  private static final Set<String> LABELS =
      Set.of(
          "labels",
          "annotations",
          "matchLabels",
          "nodeLabels",
          "nodeSelector",
          "matchExpressions",
          "matchFields",
          "nodeTaints",
          "taints",
          "tolerations",
          "levels",
          "nodeLabel");

  /** Words of Kubernetes among them. */
  private static final Set<String> WORDS = Set.of("operator", "effect", "tolerationSeconds");

  private static final List<String> KNOWN = List.of("kubernetes.io/", "k8s.io/", "kubernetes.io");

  private final Map<String, String> replacements = new HashMap<>();

  private Anonymizer(Collection<String> sorted) {
    int digits = String.valueOf(sorted.size()).length();
    int number = 0;
    for (String text : sorted) {
      String counted = String.valueOf(++number);
      replacements.put(text, "n-" + "0".repeat(digits - counted.length()) + counted);
    }
  }

  /**
   * An anonymizer for those objects.
   *
   * @throws CommandException if they hold names in a form that cannot be replaced
   */
  static Anonymizer of(List<ObjectNode> objects) {
    TreeSet<String> names = new TreeSet<>();
    for (ObjectNode object : objects) {
      if (!object.findValues("topologyAssignment").isEmpty()) {
        throw new CommandException(
            "places of pods are stored as parts of names (expected: no --anonymize)");
      }
      if (object.path("kind").asText().equals(ObjectKind.RESOURCE_SLICE.id().kind())) {
        throw new CommandException(
            "selectors of devices hold names as parts of expressions (expected: no --anonymize)");
      }
      collect("", object, names);
    }
    names.remove("");
    return new Anonymizer(names);
  }

  private static void collect(String field, JsonNode node, Set<String> names) {
    if (node.isTextual() && NAMES.contains(field)) {
      names.add(node.textValue());
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String key = entry.getKey();
      if (LABELS.contains(key)) {
        collectAll(entry.getValue(), names);
      } else if (key.equals("name") && entry.getValue().isTextual() && !isResource(field)) {
        names.add(entry.getValue().textValue());
      } else if (key.equals("flavors") && entry.getValue().isObject()) {
        entry.getValue().forEach(it -> names.add(it.asText()));
      } else {
        collect(key, entry.getValue(), names);
      }
    }
    if (node.isArray()) {
      node.forEach(item -> collect(field, item, names));
    }
  }

  /** {@code name} below {@code resources} is that of a resource. */
  private static boolean isResource(String field) {
    return field.equals("resources") || field.equals("deviceClassMappings");
  }

  private static void collectAll(JsonNode node, Set<String> names) {
    if (node.isTextual()) {
      add(node.textValue(), names);
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      if (entry.getValue().isTextual() && !WORDS.contains(entry.getKey())) {
        add(entry.getKey(), names);
      }
      if (!WORDS.contains(entry.getKey())) {
        collectAll(entry.getValue(), names);
      }
    }
    if (node.isArray()) {
      node.forEach(item -> collectAll(item, names));
    }
  }

  private static void add(String text, Set<String> names) {
    boolean isField = text.equals("key") || text.equals("value") || text.equals("nodeLabel");
    if (!isField && KNOWN.stream().noneMatch(text::contains)) {
      names.add(text);
    }
  }

  ObjectNode of(ObjectNode object) {
    return (ObjectNode) replaced(object);
  }

  private JsonNode replaced(JsonNode node) {
    if (node.isTextual()) {
      return JSON.textNode(of(node.textValue()));
    }
    if (node.isArray()) {
      ArrayNode items = JSON.arrayNode();
      node.forEach(item -> items.add(replaced(item)));
      return items;
    }
    if (!node.isObject()) {
      return node;
    }
    ObjectNode fields = JSON.objectNode();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      if (entry.getKey().equals("message")) {
        fields.put("message", "");
      } else if (entry.getKey().equals("kind") || entry.getKey().equals("apiVersion")) {
        fields.set(entry.getKey(), entry.getValue());
      } else {
        fields.set(of(entry.getKey()), replaced(entry.getValue()));
      }
    }
    return fields;
  }

  private String of(String text) {
    return replacements.getOrDefault(text, text);
  }

  private ObjectKey of(ObjectKey key) {
    return new ObjectKey(of(key.namespace()), of(key.name()));
  }

  /** The decision with the new names. */
  Shown of(Shown shown) {
    TreeSet<ObjectKey> victims = new TreeSet<>();
    shown.victims().forEach(it -> victims.add(of(it)));
    List<Shown.Flavors> flavors = new ArrayList<>();
    shown.flavors().forEach(it -> flavors.add(it.renamed(this::of)));
    return new Shown(of(shown.workload()), shown.kind(), victims, flavors, shown.reason());
  }
}
