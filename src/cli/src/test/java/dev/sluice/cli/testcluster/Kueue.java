package dev.sluice.cli.testcluster;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.controlplane.ApiClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Paths and objects of our group, as a client writes them. */
public final class Kueue {
  private static final Set<String> CHANGES_WITH_EACH_WRITE =
      Set.of("resourceVersion", "managedFields", "generation");

  private Kueue() {}

  /** Where objects of the kind are: those of namespace default if it has namespaces. */
  public static String collection(ApiKind kind, ApiVersion version) {
    return collection(kind, version, "default");
  }

  /** Where objects of the kind are; the namespace counts only if it has namespaces. */
  public static String collection(ApiKind kind, ApiVersion version, String namespace) {
    String within = kind.namespaced() ? "/namespaces/" + namespace + "/" : "/";
    return "/apis/" + version.groupVersion() + within + kind.plural();
  }

  /** The objects of the kind at the version that we store, in all namespaces. */
  public static String everywhere(ApiKind kind) {
    return "/apis/" + ApiVersion.HUB.groupVersion() + "/" + kind.plural();
  }

  /** One object; one of namespace default if it has a namespace. */
  public static String path(ApiKind kind, ApiVersion version, String name) {
    return collection(kind, version) + "/" + name;
  }

  /** A Topology with these levels. */
  public static String topology(ApiVersion version, String name, String... levels) {
    String items = Stream.of(levels).map("{\"nodeLabel\":\"%s\"}"::formatted).collect(joining(","));
    return object(ApiKind.TOPOLOGY, version, name, "\"spec\":{\"levels\":[%s]}".formatted(items));
  }

  /** A Cohort below this one. */
  public static String cohort(ApiVersion version, String name, String parent) {
    return object(
        ApiKind.COHORT,
        version,
        name,
        "\"spec\":{\"%s\":\"%s\"}".formatted(parentField(version), parent));
  }

  /** What the field for its parent is called. */
  public static String parentField(ApiVersion version) {
    return version == ApiVersion.V1ALPHA1 ? "parent" : "parentName";
  }

  /** An object with further members of its root; none if that text is empty. */
  public static String object(ApiKind kind, ApiVersion version, String name, String members) {
    return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"}%s}"
        .formatted(version.groupVersion(), kind, name, members.isEmpty() ? "" : "," + members);
  }

  /** Creates an object in namespace default if it has a namespace, at the version stored. */
  public static ApiClient.Response create(ApiClient api, ApiKind kind, String name, String spec) {
    return create(api, kind, "default", name, spec);
  }

  /** Creates an object at the version stored; the namespace counts only if it has one. */
  public static ApiClient.Response create(
      ApiClient api, ApiKind kind, String namespace, String name, String spec) {
    return api.create(
        collection(kind, ApiVersion.HUB, namespace),
        object(kind, ApiVersion.HUB, name, "\"spec\":" + spec));
  }

  /** The spec of a ClusterQueue for all namespaces, with this much cpu of one flavor. */
  public static String clusterQueue(String flavor, int cpu) {
    return """
    {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[{
    "name":"%s","resources":[{"name":"cpu","nominalQuota":%d}]}]}]}\
    """
        .formatted(flavor, cpu);
  }

  /** The spec of a LocalQueue. */
  public static String localQueue(String clusterQueue) {
    return "{\"clusterQueue\":\"%s\"}".formatted(clusterQueue);
  }

  /** The spec of a Workload of one pod. */
  public static String workload(String localQueue, int cpu) {
    return """
    {"queueName":"%s","podSets":[{"name":"main","count":1,"template":{"spec":{
    "restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{"requests":{
    "cpu":"%d"}}}]}}}]}\
    """
        .formatted(localQueue, cpu);
  }

  /** A Workload of namespace default is over, as its owner tells. */
  public static void finish(ApiClient api, String workload) {
    String finished =
        """
        "status":{"conditions":[{"type":"Finished","status":"True","reason":"Succeeded",
        "message":"over","lastTransitionTime":"2026-01-01T00:00:00Z"}]}\
        """;
    api.serverSideApply(
            path(ApiKind.WORKLOAD, ApiVersion.HUB, workload) + "/status",
            "owner",
            object(ApiKind.WORKLOAD, ApiVersion.HUB, workload, finished))
        .orThrow();
  }

  /** The labels of its levels, widest first. */
  public static List<String> levels(JsonNode topology) {
    List<String> levels = new ArrayList<>();
    for (JsonNode level : topology.at("/spec/levels")) {
      levels.add(level.path("nodeLabel").asText());
    }
    return levels;
  }

  /** The object without what the API server changes with each write. */
  public static JsonNode settled(JsonNode object) {
    ObjectNode copy = object.deepCopy();
    if (copy.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove(CHANGES_WITH_EACH_WRITE);
    }
    return copy;
  }
}
