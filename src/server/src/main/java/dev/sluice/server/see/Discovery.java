package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The documents by which clients find the resources of the visibility API. */
final class Discovery {
  /** The type of the document that has all groups with their resources. */
  static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** A kind of queue, which is served only with its subresource. */
  private record Parent(String plural, String singular, String kind, boolean namespaced) {}

  private static final List<Parent> PARENTS =
      List.of(
          new Parent("clusterqueues", "clusterqueue", "ClusterQueue", false),
          new Parent("localqueues", "localqueue", "LocalQueue", true));

  private Discovery() {}

  /**
   * Whether a client prefers the aggregated document.
   *
   * @param accept the header of the request; empty for none
   */
  static boolean wantsAggregated(String accept) {
    return Arrays.stream(accept.split(",", -1))
        .map(type -> List.of(type.toLowerCase(Locale.ROOT).replace(" ", "").split(";", -1)))
        .anyMatch(
            type ->
                type.getFirst().equals(Reply.JSON)
                    && type.contains("g=apidiscovery.k8s.io")
                    && type.contains("v=v2")
                    && type.contains("as=apigroupdiscoverylist"));
  }

  static ObjectNode groups() {
    ObjectNode list = typed("APIGroupList", "v1");
    list.putArray("groups").add(group());
    return list;
  }

  static ObjectNode group() {
    ObjectNode group = typed("APIGroup", "v1").put("name", VisibilityApi.GROUP);
    ArrayNode versions = group.putArray("versions");
    VisibilityApi.VERSIONS.forEach(version -> versions.add(version(version)));
    group.set("preferredVersion", version(VisibilityApi.VERSIONS.getFirst()));
    return group;
  }

  private static ObjectNode version(String version) {
    return JSON.objectNode()
        .put("groupVersion", VisibilityApi.GROUP + "/" + version)
        .put("version", version);
  }

  /** The parents are named without verbs, so that clients find their subresources. */
  static ObjectNode resources(String version) {
    ObjectNode list =
        typed("APIResourceList", "v1").put("groupVersion", VisibilityApi.GROUP + "/" + version);
    ArrayNode resources = list.putArray("resources");
    for (Parent it : PARENTS) {
      ObjectNode parent = resources.addObject().put("name", it.plural());
      parent.put("singularName", it.singular()).put("namespaced", it.namespaced());
      parent.put("kind", it.kind()).putArray("verbs");
      ObjectNode pending = resources.addObject();
      pending.put("name", it.plural() + "/" + VisibilityApi.PENDING).put("singularName", "");
      pending.put("namespaced", it.namespaced()).put("kind", VisibilityApi.SUMMARY);
      pending.putArray("verbs").add("get");
    }
    return list;
  }

  /** All groups with their resources in one document. */
  static ObjectNode aggregated() {
    ObjectNode list = typed("APIGroupDiscoveryList", "apidiscovery.k8s.io/v2");
    list.putObject("metadata");
    ObjectNode group = list.putArray("items").addObject();
    group.putObject("metadata").put("name", VisibilityApi.GROUP).putNull("creationTimestamp");
    ArrayNode versions = group.putArray("versions");
    for (String version : VisibilityApi.VERSIONS) {
      ObjectNode served = versions.addObject().put("version", version).put("freshness", "Current");
      ArrayNode resources = served.putArray("resources");
      for (Parent it : PARENTS) {
        ObjectNode parent = resources.addObject().put("resource", it.plural());
        parent.set("responseKind", kind(version, it.kind()));
        parent.put("scope", it.namespaced() ? "Namespaced" : "Cluster");
        parent.put("singularResource", it.singular()).putArray("verbs");
        ObjectNode pending = parent.putArray("subresources").addObject();
        pending.put("subresource", VisibilityApi.PENDING);
        pending.set("responseKind", kind(version, VisibilityApi.SUMMARY));
        pending.putArray("verbs").add("get");
      }
    }
    return list;
  }

  private static ObjectNode kind(String version, String kind) {
    return JSON.objectNode()
        .put("group", VisibilityApi.GROUP)
        .put("version", version)
        .put("kind", kind);
  }

  private static ObjectNode typed(String kind, String apiVersion) {
    return JSON.objectNode().put("kind", kind).put("apiVersion", apiVersion);
  }
}
