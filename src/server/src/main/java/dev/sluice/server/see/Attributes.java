package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What somebody wants to read, as an API server authorizes it. */
sealed interface Attributes {
  /** Adds this to the spec of a SubjectAccessReview. */
  void addTo(ObjectNode spec);

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
  }

  /** Any other path, such as those of discovery. */
  record OfPath(String path) implements Attributes {
    @Override
    public void addTo(ObjectNode spec) {
      spec.putObject("nonResourceAttributes").put("verb", "get").put("path", path);
    }
  }
}
