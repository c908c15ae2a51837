package dev.sluice.server.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.lifecycle.memory.MemoryObjects;
import java.time.Instant;
import java.util.Map;

/**
 * Adds what the API server and the controllers would set: the label with the name of a namespace,
 * times and messages of handwritten conditions, the defaults that follow from the bounds of a
 * LimitRange, and the priority of a class.
 */
final class Completion {
  private static final String NAMESPACE_LABEL = "kubernetes.io/metadata.name";

  private final MemoryObjects objects;

  /**
   * @param objects where the priority classes are
   */
  Completion(MemoryObjects objects) {
    this.objects = objects;
  }

  /** Completes an object in place. */
  void complete(ObjectNode object, Instant now) {
    completeDetails(object, now);
    completePriority(object);
  }

  /** A workload that names a class, but no priority, has that of the class. */
  private void completePriority(ObjectNode object) {
    JsonNode ref = object.path("spec").path("priorityClassRef");
    if (object.path("kind").asText().equals(ApiKind.WORKLOAD.kind())
        && ref.isObject()
        && !object.path("spec").hasNonNull("priority")) {
      objects
          .named(ref.path("kind").asText(), "", ref.path("name").asText())
          .flatMap(it -> objects.find(it.kind(), "", it.name()))
          .map(it -> it.path("value"))
          .filter(JsonNode::isInt)
          .ifPresent(value -> object.withObjectProperty("spec").set("priority", value));
    }
  }

  private static void completeDetails(ObjectNode object, Instant now) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    switch (object.path("kind").asText()) {
      case "Namespace" ->
          putIfAbsent(
              metadata.withObjectProperty("labels"),
              NAMESPACE_LABEL,
              metadata.path("name").asText());
      case "LimitRange" -> object.at("/spec/limits").forEach(Completion::completeLimits);
      default -> completeStatus(object.path("status"), now);
    }
  }

  private static void completeStatus(JsonNode status, Instant now) {
    for (String list : new String[] {"conditions", "admissionChecks", "preemptionGates"}) {
      for (JsonNode item : status.path(list)) {
        if (item instanceof ObjectNode observed) {
          putIfAbsent(observed, "lastTransitionTime", now.toString());
          if (!list.equals("preemptionGates")) {
            putIfAbsent(observed, "message", "");
          }
          if (list.equals("conditions")) {
            putIfAbsent(observed, "reason", observed.path("type").asText());
          }
        }
      }
    }
  }

  private static void completeLimits(JsonNode item) {
    if (item instanceof ObjectNode limits && limits.path("type").asText().equals("Container")) {
      copyMissing(limits, "max", "default");
      copyMissing(limits, "default", "defaultRequest");
      copyMissing(limits, "min", "defaultRequest");
    }
  }

  private static void copyMissing(ObjectNode limits, String from, String to) {
    for (Map.Entry<String, JsonNode> entry : limits.path(from).properties()) {
      putIfAbsent(limits.withObjectProperty(to), entry.getKey(), entry.getValue().asText());
    }
  }

  private static void putIfAbsent(ObjectNode object, String field, String value) {
    if (!object.hasNonNull(field)) {
      object.put(field, value);
    }
  }
}
