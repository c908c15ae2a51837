package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.quota.Snapshot;
import dev.sluice.see.visibility.Page;
import dev.sluice.see.visibility.PendingWorkload;
import dev.sluice.see.visibility.PendingWorkloads;
import dev.sluice.server.program.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The paths of the visibility API of Kueue, and what is read there. Immutable. */
final class VisibilityApi {
  static final String GROUP = Domains.VISIBILITY;

  /** The preferred version first. */
  static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");

  /** The subresource of a queue. */
  static final String PENDING = "pendingworkloads";

  /** The kind of the answer. */
  static final String SUMMARY = "PendingWorkloadsSummary";

  private static final String ROOT = "/apis/" + GROUP;

  private VisibilityApi() {}

  /** What a path names. */
  sealed interface Target {
    /** What a caller needs a right to. */
    Attributes attributes();
  }

  /** A document about the API itself. */
  record Document(String path, String type, ObjectNode content) implements Target {
    @Override
    public Attributes attributes() {
      return new Attributes.OfPath(path);
    }
  }

  /** The workloads that wait in a ClusterQueue, or in a LocalQueue where it has a namespace. */
  record Line(String version, String namespace, String name) implements Target {
    boolean ofClusterQueue() {
      return namespace.isEmpty();
    }

    private String resource() {
      return ofClusterQueue() ? "clusterqueues" : "localqueues";
    }

    @Override
    public Attributes attributes() {
      return new Attributes.OfResource(version, resource(), PENDING, name, namespace);
    }
  }

  /**
   * What is at that path, which is decoded; empty for nothing.
   *
   * @param accept which of several documents is wanted; empty for any
   */
  static Optional<Target> find(String path, String accept) {
    return switch (path) {
      case "/apis" ->
          Discovery.wantsAggregated(accept)
              ? Optional.of(new Document(path, Discovery.AGGREGATED, Discovery.aggregated()))
              : document(path, Discovery.groups());
      case ROOT -> document(path, Discovery.group());
      case "/version" -> document(path, version());
      case "/openapi/v2" -> document(path, OpenApi.v2());
      case OpenApi.V3 -> document(path, OpenApi.v3());
      default -> path.startsWith(ROOT + "/") ? below(path) : openApi(path);
    };
  }

  private static Optional<Target> document(String path, ObjectNode content) {
    return Optional.of(new Document(path, Reply.JSON, content));
  }

  private static Optional<Target> openApi(String path) {
    for (String version : VERSIONS) {
      if (path.equals(OpenApi.path(version))) {
        return document(path, OpenApi.v3(version));
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

  private static Optional<Target> below(String path) {
    String[] parts = path.substring(ROOT.length() + 1).split("/", -1);
    if (!VERSIONS.contains(parts[0])) {
      return Optional.empty();
    }
    boolean named = List.of(parts).stream().noneMatch(String::isEmpty);
    if (parts.length == 1) {
      return document(path, Discovery.resources(parts[0]));
    }
    if (named && parts.length == 4 && parts[1].equals("clusterqueues") && isPending(parts[3])) {
      return Optional.of(new Line(parts[0], "", parts[2]));
    }
    return named
            && parts.length == 6
            && parts[1].equals("namespaces")
            && parts[3].equals("localqueues")
            && isPending(parts[5])
        ? Optional.of(new Line(parts[0], parts[2], parts[4]))
        : Optional.empty();
  }

  private static boolean isPending(String part) {
    return part.equals(PENDING);
  }

  /**
   * The workloads of the line, or why there are none.
   *
   * @param query a parameter of the request by its name
   * @param tag names this state of the queues
   */
  static Reply read(
      Line line, Snapshot snapshot, Function<String, @Nullable String> query, String tag) {
    Page page;
    try {
      page = Page.of(query.apply("offset"), query.apply("limit"));
    } catch (IllegalArgumentException e) {
      return Reply.failure(400, "BadRequest", String.valueOf(e.getMessage()));
    }
    Optional<List<PendingWorkload>> waiting =
        line.ofClusterQueue()
            ? PendingWorkloads.ofClusterQueue(snapshot, line.name(), page)
            : PendingWorkloads.ofLocalQueue(
                snapshot, new ObjectKey(line.namespace(), line.name()), page);
    return waiting
        .map(
            workloads ->
                new Reply(
                    200,
                    Map.of("Content-Type", Reply.JSON, "ETag", tag, "Cache-Control", "no-cache"),
                    PendingWorkloadsSummary.write(line.version(), workloads)))
        .orElseGet(() -> notFound(line));
  }

  private static Reply notFound(Line line) {
    String kind = line.ofClusterQueue() ? "clusterqueue" : "localqueue";
    return Reply.failure(
        404, "NotFound", "%s.%s \"%s\" not found".formatted(kind, GROUP, line.name()));
  }
}
