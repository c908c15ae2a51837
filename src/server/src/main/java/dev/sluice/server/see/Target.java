package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.reply.Reply;

/** What a path names. */
sealed interface Target {
  /** What a caller needs a right to. */
  Attributes attributes();

  /** The method of HTTP that it is asked by. */
  String method();

  /** A document about the API itself. */
  record Document(String path, String type, ObjectNode content) implements Target {
    @Override
    public Attributes attributes() {
      return new Attributes.OfPath(path);
    }

    @Override
    public String method() {
      return "GET";
    }
  }

  /**
   * A resource.
   *
   * @param namespace empty for a resource of the cluster
   * @param name of the object whose subresource it is; empty for none
   */
  record Resource(
      ApiGroup group, String version, ApiResource resource, String namespace, String name)
      implements Target {
    @Override
    public Attributes attributes() {
      return new Attributes.OfResource(
          resource.verb(), group.name(), version, resource.path(), name, namespace);
    }

    @Override
    public String method() {
      return resource.method();
    }

    /** That its parent is not there. */
    Reply notFound() {
      return Reply.failure(
          404,
          "NotFound",
          "%s.%s \"%s\" not found".formatted(resource.singular(), group.name(), name));
    }
  }
}
