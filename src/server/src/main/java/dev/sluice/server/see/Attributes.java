package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What somebody wants to read, as an API server authorizes it. */
sealed interface Attributes {
  /** Adds this to the spec of a SubjectAccessReview. */
  void addTo(ObjectNode spec);

  /** Why a user may not, as an API server says it. */
  String refusal(String user);

  /** A subresource of a queue. */
  record OfResource(
      String version, String resource, String subresource, String name, String namespace)
      implements Attributes {
    @Override
    public void addTo(ObjectNode spec) {
      spec.putObject("resourceAttributes")
          .put("verb", "get")
          .put("group", VisibilityApi.GROUP)
          .put("version", version)
          .put("resource", resource)
          .put("subresource", subresource)
          .put("name", name)
          .put("namespace", namespace);
    }

    @Override
    public String refusal(String user) {
      return "%s.%s \"%s\" is forbidden: User \"%s\" cannot get resource \"%1$s/%5$s\" in API group \"%2$s\" %6$s"
          .formatted(
              resource,
              VisibilityApi.GROUP,
              name,
              user,
              subresource,
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
