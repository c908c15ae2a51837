package dev.sluice.server.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.GoDuration;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.server.world.SimulatedConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be simulated.
 *
 * @param objects jobs and Workloads, each with a name and a namespace, and without a status
 * @param edits of queues and what they are made of
 * @param forward for how long the queues are played forward; zero for not at all
 */
public record WhatIfRequest(List<ObjectNode> objects, List<ObjectNode> edits, Duration forward) {
  /** Objects and edits together. */
  public static final int MOST = 200;

  /** So many replicas of sets may be simulated at once. */
  static final int MOST_REPLICAS = 5_000;

  private static final Set<String> MEMBERS = Set.of("apiVersion", "kind", "metadata", "spec");
  private static final Set<String> FIELDS = Set.of("objects", "edits", "forward");
  private static final Duration LONGEST = Duration.ofDays(7);
  private static final Set<ApiKind> EDITABLE =
      EnumSet.of(
          ApiKind.CLUSTER_QUEUE,
          ApiKind.COHORT,
          ApiKind.LOCAL_QUEUE,
          ApiKind.RESOURCE_FLAVOR,
          ApiKind.TOPOLOGY,
          ApiKind.WORKLOAD_PRIORITY_CLASS);

  public WhatIfRequest {
    objects = List.copyOf(objects);
    edits = List.copyOf(edits);
  }

  /**
   * Reads the body of a request.
   *
   * @param namespace of all objects; empty for a simulation of the cluster
   * @param chosen says which kinds are jobs
   * @throws IllegalArgumentException naming the field, its value, and what was expected
   */
  public static WhatIfRequest read(JsonNode body, String namespace, SimulatedConfiguration chosen) {
    requireKnown(body, MEMBERS, "");
    JsonNode spec = body.path("spec");
    requireKnown(spec, FIELDS, "spec.");
    Duration forward = forward(spec.path("forward"));
    List<ObjectNode> objects = list(spec, "objects");
    List<ObjectNode> edits = list(spec, "edits");
    if (objects.size() + edits.size() > MOST) {
      throw new IllegalArgumentException(
          "spec: %d objects and edits (expected: at most %d)"
              .formatted(objects.size() + edits.size(), MOST));
    }
    if (objects.isEmpty() && edits.isEmpty()) {
      throw new IllegalArgumentException("spec: nothing to simulate (expected: objects or edits)");
    }
    if (!namespace.isEmpty() && !edits.isEmpty()) {
      throw new IllegalArgumentException(
          "spec.edits: in a namespace (expected: none; clustersimulations take them)");
    }
    requireFewReplicas(objects);
    for (int i = 0; i < objects.size(); i++) {
      complete(objects.get(i), namespace, chosen, "spec.objects[%d]".formatted(i));
    }
    for (int i = 0; i < edits.size(); i++) {
      requireEditable(edits.get(i), "spec.edits[%d]".formatted(i));
    }
    return new WhatIfRequest(objects, edits, forward);
  }

  /** The Pods of sets are made in memory, one by one. */
  private static void requireFewReplicas(List<ObjectNode> objects) {
    long all = 0;
    for (int i = 0; i < objects.size(); i++) {
      all += Math.max(0, objects.get(i).path("spec").path("replicas").asLong(0));
      if (all > MOST_REPLICAS) {
        throw new IllegalArgumentException(
            "spec.objects[%d].spec.replicas: %d with those before it (expected: at most %d)"
                .formatted(i, all, MOST_REPLICAS));
      }
    }
  }

  private static Duration forward(JsonNode text) {
    if (text.isMissingNode()) {
      return Duration.ZERO;
    }
    return Optional.of(text)
        .filter(JsonNode::isTextual)
        .flatMap(it -> GoDuration.parse(it.asText()))
        .filter(it -> it.isPositive() && it.compareTo(LONGEST) <= 0)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "spec.forward: %s (expected: a time such as 30m or 1h30m, at most %dh)"
                        .formatted(text, LONGEST.toHours())));
  }

  private static void requireKnown(JsonNode object, Set<String> fields, String path) {
    if (!object.isObject()) {
      throw new IllegalArgumentException(
          "%s: no object (expected: one)".formatted(path.isEmpty() ? "the body" : "spec"));
    }
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (!fields.contains(field.getKey()) && !field.getKey().equals("status")) {
        throw new IllegalArgumentException(
            "%s%s: unknown field (expected: %s)"
                .formatted(
                    path, field.getKey(), String.join(", ", fields.stream().sorted().toList())));
      }
    }
  }

  private static List<ObjectNode> list(JsonNode spec, String field) {
    List<ObjectNode> list = new ArrayList<>();
    JsonNode items = spec.path(field);
    if (!items.isMissingNode() && !items.isArray()) {
      throw new IllegalArgumentException("spec." + field + ": no list (expected: one)");
    }
    for (JsonNode item : items) {
      if (!(item instanceof ObjectNode object)) {
        throw new IllegalArgumentException(
            "spec.%s[%d]: no object (expected: one)".formatted(field, list.size()));
      }
      list.add(object.deepCopy());
    }
    return list;
  }

  private static void complete(
      ObjectNode object, String namespace, SimulatedConfiguration chosen, String path) {
    GroupKind kind = kind(object).groupKind();
    if (!kind.equals(ApiKind.WORKLOAD.groupKind()) && !chosen.isJob(kind)) {
      throw new IllegalArgumentException(
          path + ".kind: " + kind + " (expected: a kind of jobs, or a Workload)");
    }
    ObjectNode metadata = object.withObjectProperty("metadata");
    String own = metadata.path("namespace").asText("");
    if (own.isEmpty()) {
      if (namespace.isEmpty()) {
        throw new IllegalArgumentException(path + ".metadata.namespace: missing (expected: one)");
      }
      metadata.put("namespace", namespace);
    } else if (!namespace.isEmpty() && !own.equals(namespace)) {
      throw new IllegalArgumentException(
          "%s.metadata.namespace: %s (expected: %s)".formatted(path, own, namespace));
    }
    String replaced =
        metadata.path("annotations").path(Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR).asText("");
    if (!replaced.isEmpty() && !replaced.startsWith(metadata.path("namespace").asText() + "/")) {
      throw new IllegalArgumentException(
          path + ".metadata.annotations: it replaces a Workload of another namespace");
    }
    requireName(object, path);
    object.remove("status"); // what it holds is for the engine to say
    metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp"));
  }

  private static void requireName(ObjectNode object, String path) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    String generated = metadata.path("generateName").asText("");
    if (metadata.path("name").asText("").isEmpty() && !generated.isEmpty()) {
      metadata.put("name", generated + "simulated");
    }
    if (metadata.path("name").asText("").isEmpty()) {
      throw new IllegalArgumentException(path + ".metadata.name: missing (expected: a name)");
    }
  }

  /** A deletion needs no more than {@code kind}, {@code name}, and {@code delete: true}. */
  private static void completeDeletion(ObjectNode edit) {
    if (!edit.has("apiVersion")) {
      edit.put("apiVersion", ApiVersion.HUB.groupVersion());
    }
    for (String field : List.of("namespace", "name")) {
      if (edit.path(field).isTextual()) {
        edit.withObjectProperty("metadata").set(field, edit.remove(field));
      }
    }
  }

  private static void requireEditable(ObjectNode edit, String path) {
    if (isDeletion(edit)) {
      completeDeletion(edit);
    }
    requireName(edit, path);
    ApiKind kind = editable(edit);
    if (kind == null) {
      throw new IllegalArgumentException(
          "%s: %s (expected: of %s, one of %s)"
              .formatted(
                  path,
                  kind(edit),
                  ApiVersion.GROUP,
                  String.join(", ", EDITABLE.stream().map(ApiKind::kind).toList())));
    }
    if (kind == ApiKind.LOCAL_QUEUE && key(edit).namespace().isEmpty()) {
      throw new IllegalArgumentException(path + ".metadata.namespace: missing (expected: one)");
    }
  }

  private static @Nullable ApiKind editable(ObjectNode edit) {
    return EDITABLE.stream()
        .filter(it -> it.groupKind().equals(kind(edit).groupKind()))
        .findFirst()
        .orElse(null);
  }

  /** Kind and version of an object. */
  static GroupVersionKind kind(JsonNode object) {
    return GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText());
  }

  /** Namespace and name of an object. */
  static ObjectKey key(JsonNode object) {
    return new ObjectKey(
        object.at("/metadata/namespace").asText(""), object.at("/metadata/name").asText());
  }

  /** Whether an edit removes its object. */
  static boolean isDeletion(ObjectNode edit) {
    return edit.path("delete").asBoolean(false);
  }
}
