package dev.sluice.server.see;

import java.util.List;
import java.util.Optional;

/**
 * A group of the API.
 *
 * @param versions the preferred one first; all have the same resources
 * @param schemaPrefix of the names of its schemas, which are unique among all groups of a cluster
 */
record ApiGroup(
    String name, List<String> versions, List<ApiResource> resources, String schemaPrefix) {
  /** All that are served. */
  static final List<ApiGroup> ALL = List.of(VisibilityApi.API, ViewApi.API);

  ApiGroup {
    versions = List.copyOf(versions);
    resources = List.copyOf(resources);
  }

  /** The path of the group, below which its versions are. */
  String root() {
    return "/apis/" + name;
  }

  /** The resource that is read or created by that path below a version. */
  Optional<Target.Resource> find(String version, List<String> parts) {
    boolean inNamespace = parts.size() > 2 && parts.getFirst().equals("namespaces");
    String namespace = inNamespace ? parts.get(1) : "";
    List<String> rest = inNamespace ? parts.subList(2, parts.size()) : parts;
    for (ApiResource it : resources) {
      if (it.namespaced() == inNamespace && matches(it, rest)) {
        String name = it.hasSubresource() ? rest.get(1) : "";
        return Optional.of(new Target.Resource(this, version, it, namespace, name));
      }
    }
    return Optional.empty();
  }

  private static boolean matches(ApiResource resource, List<String> rest) {
    return rest.getFirst().equals(resource.plural())
        && (resource.hasSubresource()
            ? rest.size() == 3 && rest.get(2).equals(resource.subresource())
            : rest.size() == 1);
  }
}
