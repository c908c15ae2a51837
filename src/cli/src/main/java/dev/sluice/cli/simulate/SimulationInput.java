package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is simulated, sorted by what it means.
 *
 * @param configuration the Configuration among the documents, or an empty one
 * @param objects everything but workloads, namespaces that nobody gave included
 * @param workloads the workloads, those of Jobs included
 */
public record SimulationInput(
    JsonNode configuration, List<JsonNode> objects, List<JsonNode> workloads) {
  private static final String CONFIGURATION_GROUP = ApiVersion.CONFIGURATION_GROUP + "/";

  public SimulationInput {
    objects = List.copyOf(objects);
    workloads = List.copyOf(workloads);
  }

  /** Sorts documents; lists are taken apart, and what has no name means nothing here. */
  public static SimulationInput of(List<JsonNode> documents) {
    JsonNode configuration = JsonNodeFactory.instance.objectNode();
    List<JsonNode> objects = new ArrayList<>();
    List<JsonNode> workloads = new ArrayList<>();
    Names names = new Names();
    for (JsonNode document : flattened(documents)) {
      JsonNode object = names.complete(document);
      if (object.path("apiVersion").asText().startsWith(CONFIGURATION_GROUP)) {
        configuration = object;
      } else if (object.path("kind").asText().equals("Workload")) {
        workloads.add(object);
      } else if (Names.has(object)) { // a Kustomization has none, and ours were checked
        JobWorkloads.of(object).ifPresentOrElse(workloads::add, () -> objects.add(object));
      }
    }
    objects.addAll(0, missingNamespaces(objects, workloads));
    return new SimulationInput(configuration, objects, workloads);
  }

  private static List<JsonNode> flattened(List<JsonNode> documents) {
    List<JsonNode> objects = new ArrayList<>();
    for (JsonNode document : documents) {
      if (document.path("kind").asText().endsWith("List") && document.path("items").isArray()) {
        document.path("items").forEach(objects::add);
      } else {
        objects.add(document);
      }
    }
    return objects;
  }

  /** Namespaces that objects live in and nobody gave, as they would be without labels. */
  private static List<JsonNode> missingNamespaces(
      List<JsonNode> objects, List<JsonNode> workloads) {
    Set<String> given = new LinkedHashSet<>();
    Set<String> used = new TreeSet<>();
    for (JsonNode object : objects) {
      JsonNode metadata = object.path("metadata");
      if (object.path("kind").asText().equals("Namespace")) {
        given.add(metadata.path("name").asText());
      }
      used.add(metadata.path("namespace").asText());
    }
    workloads.forEach(workload -> used.add(workload.at("/metadata/namespace").asText()));
    used.removeAll(given);
    used.remove("");
    return used.stream().map(SimulationInput::namespace).toList();
  }

  private static JsonNode namespace(String name) {
    ObjectNode namespace = JsonNodeFactory.instance.objectNode();
    namespace.put("apiVersion", "v1").put("kind", "Namespace");
    namespace.putObject("metadata").put("name", name);
    return namespace;
  }
}
