package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.program.Version;
import dev.sluice.server.reply.Reply;
import java.util.List;
import java.util.Optional;

/** Finds what is at a path. */
final class ApiPaths {
  private ApiPaths() {}

  /**
   * What is at that path, which is decoded; empty for nothing.
   *
   * @param accept which of several documents is wanted; empty for any
   */
  static Optional<Target> find(String path, String accept) {
    return switch (path) {
      case "/apis" ->
          Discovery.wantsAggregated(accept)
              ? Optional.of(new Target.Document(path, Discovery.AGGREGATED, Discovery.aggregated()))
              : document(path, Discovery.groups());
      case "/version" -> document(path, version());
      case "/openapi/v2" -> document(path, OpenApi.v2());
      case OpenApi.V3 -> document(path, OpenApi.v3());
      default -> path.startsWith("/openapi/") ? openApi(path) : ofGroup(path);
    };
  }

  private static Optional<Target> document(String path, ObjectNode content) {
    return Optional.of(new Target.Document(path, Reply.JSON, content));
  }

  private static Optional<Target> openApi(String path) {
    for (ApiGroup group : ApiGroup.ALL) {
      for (String version : group.versions()) {
        if (path.equals(OpenApi.path(group, version))) {
          return document(path, OpenApi.v3(group, version));
        }
      }
    }
    return Optional.empty();
  }

  private static ObjectNode version() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("major", "")
        .put("minor", "")
        .put("gitVersion", "v" + Version.number())
        .put("platform", System.getProperty("os.name", "") + "/" + System.getProperty("os.arch"));
  }

  private static Optional<Target> ofGroup(String path) {
    for (ApiGroup group : ApiGroup.ALL) {
      if (path.equals(group.root())) {
        return document(path, Discovery.group(group));
      }
      if (path.startsWith(group.root() + "/")) {
        return below(group, path);
      }
    }
    return Optional.empty();
  }

  private static Optional<Target> below(ApiGroup group, String path) {
    List<String> parts = List.of(path.substring(group.root().length() + 1).split("/", -1));
    String version = parts.getFirst();
    if (!group.versions().contains(version) || parts.contains("")) {
      return Optional.empty();
    }
    return parts.size() == 1
        ? document(path, Discovery.resources(group, version))
        : group.find(version, parts.subList(1, parts.size())).map(Target.class::cast);
  }
}
