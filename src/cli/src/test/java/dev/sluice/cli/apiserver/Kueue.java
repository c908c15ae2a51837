package dev.sluice.cli.apiserver;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Paths and objects of our group, as a client writes them. */
final class Kueue {
  private static final Set<String> CHANGES_WITH_EACH_WRITE =
      Set.of("resourceVersion", "managedFields", "generation");

  private Kueue() {}

  static String collection(ApiKind kind, ApiVersion version) {
    return "/apis/" + version.groupVersion() + "/" + kind.plural();
  }

  static String path(ApiKind kind, ApiVersion version, String name) {
    return collection(kind, version) + "/" + name;
  }

  /** A Topology with these levels. */
  static String topology(ApiVersion version, String name, String... levels) {
    String items = Stream.of(levels).map("{\"nodeLabel\":\"%s\"}"::formatted).collect(joining(","));
    return object(ApiKind.TOPOLOGY, version, name, "\"spec\":{\"levels\":[%s]}".formatted(items));
  }

  /** A Cohort below this one. */
  static String cohort(ApiVersion version, String name, String parent) {
    return object(
        ApiKind.COHORT,
        version,
        name,
        "\"spec\":{\"%s\":\"%s\"}".formatted(parentField(version), parent));
  }

  static String parentField(ApiVersion version) {
    return version == ApiVersion.V1ALPHA1 ? "parent" : "parentName";
  }

  /** An object with further members of its root; none if that text is empty. */
  static String object(ApiKind kind, ApiVersion version, String name, String members) {
    return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"}%s}"
        .formatted(version.groupVersion(), kind, name, members.isEmpty() ? "" : "," + members);
  }

  static List<String> levels(JsonNode topology) {
    List<String> levels = new ArrayList<>();
    for (JsonNode level : topology.at("/spec/levels")) {
      levels.add(level.path("nodeLabel").asText());
    }
    return levels;
  }

  /** The object without what the API server changes with each write. */
  static JsonNode settled(JsonNode object) {
    ObjectNode copy = object.deepCopy();
    if (copy.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove(CHANGES_WITH_EACH_WRITE);
    }
    return copy;
  }
}
