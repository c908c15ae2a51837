package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.OwnerReference;
import dev.sluice.quota.Snapshot;
import dev.sluice.see.visibility.Page;
import dev.sluice.see.visibility.PendingWorkload;
import dev.sluice.see.visibility.PendingWorkloads;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The paths of the visibility API of Kueue, and what is read there. Immutable. */
final class VisibilityApi {
  static final String GROUP = "visibility.kueue.x-k8s.io";

  /** The preferred version first. */
  private static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");

  private static final String ROOT = "/apis/" + GROUP;
  private static final String PENDING = "pendingworkloads";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private VisibilityApi() {}

  /** What a path names. */
  sealed interface Target {
    /** What a caller needs a right to. */
    Attributes attributes();
  }

  /** A document about the API itself. */
  record Discovery(String path, ObjectNode document) implements Target {
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

  /** What is at that path, which is decoded; empty for nothing. */
  static Optional<Target> find(String path) {
    return switch (path) {
      case "/apis" -> Optional.of(new Discovery(path, groups()));
      case ROOT -> Optional.of(new Discovery(path, group()));
      default -> path.startsWith(ROOT + "/") ? below(path) : Optional.empty();
    };
  }

  private static Optional<Target> below(String path) {
    String[] parts = path.substring(ROOT.length() + 1).split("/", -1);
    if (!VERSIONS.contains(parts[0])) {
      return Optional.empty();
    }
    boolean named = List.of(parts).stream().noneMatch(String::isEmpty);
    if (parts.length == 1) {
      return Optional.of(new Discovery(path, resources(parts[0])));
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

  /** The workloads of the line, or why there are none. */
  static Reply read(Line line, Snapshot snapshot, Function<String, @Nullable String> query) {
    Page page;
    try {
      page = Page.of(query.apply("offset"), query.apply("limit"));
    } catch (IllegalArgumentException e) {
      return Reply.failure(400, "BadRequest", String.valueOf(e.getMessage()));
    }
    return (line.ofClusterQueue()
            ? PendingWorkloads.ofClusterQueue(snapshot, line.name(), page)
            : PendingWorkloads.ofLocalQueue(
                snapshot, new ObjectKey(line.namespace(), line.name()), page))
        .map(workloads -> Reply.ok(summary(line.version(), workloads)))
        .orElseGet(() -> notFound(line));
  }

  private static Reply notFound(Line line) {
    String kind = line.ofClusterQueue() ? "clusterqueue" : "localqueue";
    return Reply.failure(
        404, "NotFound", "%s.%s \"%s\" not found".formatted(kind, GROUP, line.name()));
  }

  private static ObjectNode summary(String version, List<PendingWorkload> workloads) {
    ObjectNode summary = typed("PendingWorkloadsSummary", GROUP + "/" + version);
    summary.putObject("metadata");
    ArrayNode items = summary.putArray("items");
    for (PendingWorkload workload : workloads) {
      ObjectNode item = items.addObject();
      ObjectNode metadata = item.putObject("metadata");
      metadata.put("name", workload.key().name()).put("namespace", workload.key().namespace());
      if (workload.creationTimestamp() == null) {
        metadata.putNull("creationTimestamp");
      } else {
        metadata.put("creationTimestamp", workload.creationTimestamp().toString());
      }
      addOwners(workload.ownerReferences(), metadata);
      item.put("priority", workload.priority()).put("localQueueName", workload.localQueueName());
      item.put("positionInClusterQueue", workload.positionInClusterQueue());
      item.put("positionInLocalQueue", workload.positionInLocalQueue());
    }
    return summary;
  }

  private static void addOwners(List<OwnerReference> owners, ObjectNode metadata) {
    if (owners.isEmpty()) {
      return;
    }
    ArrayNode list = metadata.putArray("ownerReferences");
    for (OwnerReference owner : owners) {
      list.addObject()
          .put("apiVersion", owner.apiVersion())
          .put("kind", owner.kind())
          .put("name", owner.name())
          .put("uid", owner.uid());
    }
  }

  private static ObjectNode typed(String kind, String apiVersion) {
    return JSON.objectNode().put("kind", kind).put("apiVersion", apiVersion);
  }

  private static ObjectNode groups() {
    ObjectNode list = typed("APIGroupList", "v1");
    list.putArray("groups").add(group());
    return list;
  }

  private static ObjectNode group() {
    ObjectNode group = typed("APIGroup", "v1").put("name", GROUP);
    ArrayNode versions = group.putArray("versions");
    VERSIONS.forEach(version -> versions.add(version(version)));
    group.set("preferredVersion", version(VERSIONS.getFirst()));
    return group;
  }

  private static ObjectNode version(String version) {
    return JSON.objectNode().put("groupVersion", GROUP + "/" + version).put("version", version);
  }

  /** The parents are named without verbs, so that clients find their subresources. */
  private static ObjectNode resources(String version) {
    ObjectNode list = typed("APIResourceList", "v1").put("groupVersion", GROUP + "/" + version);
    ArrayNode resources = list.putArray("resources");
    addResource(resources, "clusterqueues", "clusterqueue", "ClusterQueue", false);
    addResource(resources, "localqueues", "localqueue", "LocalQueue", true);
    return list;
  }

  private static void addResource(
      ArrayNode resources, String plural, String singular, String kind, boolean namespaced) {
    ObjectNode parent = resources.addObject().put("name", plural).put("singularName", singular);
    parent.put("namespaced", namespaced).put("kind", kind).putArray("verbs");
    ObjectNode pending = resources.addObject().put("name", plural + "/" + PENDING);
    pending.put("singularName", "").put("namespaced", namespaced);
    pending.put("kind", "PendingWorkloadsSummary").putArray("verbs").add("get");
  }
}
