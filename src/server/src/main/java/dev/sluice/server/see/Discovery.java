package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.reply.Reply;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The documents by which clients find the resources of the API. */
final class Discovery {
  /** The type of the document that has all groups with their resources. */
  static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

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
    ArrayNode groups = list.putArray("groups");
    ApiGroup.ALL.forEach(group -> groups.add(group(group)));
    return list;
  }

  static ObjectNode group(ApiGroup served) {
    ObjectNode group = typed("APIGroup", "v1").put("name", served.name());
    ArrayNode versions = group.putArray("versions");
    served.versions().forEach(version -> versions.add(version(served, version)));
    group.set("preferredVersion", version(served, served.versions().getFirst()));
    return group;
  }

  private static ObjectNode version(ApiGroup group, String version) {
    return JSON.objectNode()
        .put("groupVersion", group.name() + "/" + version)
        .put("version", version);
  }

  /** Parents of subresources are named without verbs, so that clients find these. */
  static ObjectNode resources(ApiGroup group, String version) {
    ObjectNode list =
        typed("APIResourceList", "v1").put("groupVersion", group.name() + "/" + version);
    ArrayNode resources = list.putArray("resources");
    for (ApiResource it : group.resources()) {
      ObjectNode whole = resources.addObject().put("name", it.plural());
      whole.put("singularName", it.singular()).put("namespaced", it.namespaced());
      ArrayNode verbs = whole.put("kind", it.parentKind()).putArray("verbs");
      if (it.hasSubresource()) {
        ObjectNode part = resources.addObject().put("name", it.path()).put("singularName", "");
        part.put("namespaced", it.namespaced()).put("kind", it.kind());
        part.putArray("verbs").add(it.verb());
      } else {
        verbs.add(it.verb());
      }
    }
    return list;
  }

  /** All groups with their resources in one document. */
  static ObjectNode aggregated() {
    ObjectNode list = typed("APIGroupDiscoveryList", "apidiscovery.k8s.io/v2");
    list.putObject("metadata");
    ArrayNode items = list.putArray("items");
    for (ApiGroup served : ApiGroup.ALL) {
      ObjectNode group = items.addObject();
      group.putObject("metadata").put("name", served.name()).putNull("creationTimestamp");
      ArrayNode versions = group.putArray("versions");
      for (String version : served.versions()) {
        ObjectNode entry = versions.addObject().put("version", version).put("freshness", "Current");
        ArrayNode resources = entry.putArray("resources");
        served.resources().forEach(it -> add(served, version, it, resources.addObject()));
      }
    }
    return list;
  }

  private static void add(ApiGroup group, String version, ApiResource it, ObjectNode resource) {
    resource.put("resource", it.plural());
    resource.set("responseKind", kind(group, version, it.parentKind()));
    resource.put("scope", it.namespaced() ? "Namespaced" : "Cluster");
    ArrayNode verbs = resource.put("singularResource", it.singular()).putArray("verbs");
    if (it.hasSubresource()) {
      ObjectNode part = resource.putArray("subresources").addObject();
      part.put("subresource", it.subresource());
      part.set("responseKind", kind(group, version, it.kind()));
      part.putArray("verbs").add(it.verb());
    } else {
      verbs.add(it.verb());
    }
  }

  private static ObjectNode kind(ApiGroup group, String version, String kind) {
    return JSON.objectNode().put("group", group.name()).put("version", version).put("kind", kind);
  }

  private static ObjectNode typed(String kind, String apiVersion) {
    return JSON.objectNode().put("kind", kind).put("apiVersion", apiVersion);
  }
}
