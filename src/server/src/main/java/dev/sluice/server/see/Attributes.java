package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;

/** What somebody wants to do, as an API server authorizes it. */
sealed interface Attributes {
  /** Adds this to the spec of a SubjectAccessReview. */
  void addTo(ObjectNode spec);

  /** Why a user may not, as an API server says it. */
  String refusal(String user);

  /**
   * To list the Workloads of a namespace, which is the right to see their names.
   *
   * @param namespace empty for all of the cluster
   */
  static Attributes toListWorkloads(String namespace) {
    return new OfResource(
        "list", ApiVersion.GROUP, ApiVersion.HUB.text(), ApiKind.WORKLOAD.plural(), "", namespace);
  }

  /**
   * A resource.
   *
   * @param path as roles name it, with a slash before a subresource
   * @param name empty for none
   * @param namespace empty for a resource of the cluster, or for all namespaces
   */
  record OfResource(
      String verb, String group, String version, String path, String name, String namespace)
      implements Attributes {
    private String resource() {
      return path.split("/", -1)[0];
    }

    @Override
    public void addTo(ObjectNode spec) {
      spec.putObject("resourceAttributes")
          .put("verb", verb)
          .put("group", group)
          .put("version", version)
          .put("resource", resource())
          .put("subresource", path.contains("/") ? path.substring(path.indexOf('/') + 1) : "")
          .put("name", name)
          .put("namespace", namespace);
    }

    @Override
    public String refusal(String user) {
      return "%s.%s %sis forbidden: User \"%s\" cannot %s resource \"%s\" in API group \"%2$s\" %7$s"
          .formatted(
              resource(),
              group,
              name.isEmpty() ? "" : "\"" + name + "\" ",
              user,
              verb,
              path,
              namespace.isEmpty()
                  ? "at the cluster scope"
                  : "in the namespace \"%s\"".formatted(namespace));
    }
  }

  /** Any other path, such as those of discovery. */
  record OfPath(String path) implements Attributes {
    @Override
    public void addTo(ObjectNode spec) {
      spec.putObject("nonResourceAttributes").put("verb", "get").put("path", path);
    }

    @Override
    public String refusal(String user) {
      return "forbidden: User \"%s\" cannot get path \"%s\"".formatted(user, path);
    }
  }
}
