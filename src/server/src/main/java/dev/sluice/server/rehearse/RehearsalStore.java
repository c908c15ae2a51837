package dev.sluice.server.rehearse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.MergePatch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a rehearsal's cluster, and all their changes, which are kept: a rehearsal is
 * short. It knows no schemas, defaults, and finalizers, and an update of nothing is a create.
 * Thread-safe; objects that it gives must not be changed.
 */
final class RehearsalStore {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Map<String, Kind> kinds = new HashMap<>();
  private long version = 1;

  /** What a call comes to: the HTTP status, and the object or what is wrong. */
  record Outcome(int status, JsonNode body) {}

  /** One change of one object: type is ADDED, MODIFIED, or DELETED, as in a watch. */
  record Change(long version, String type, ObjectNode object) {}

  private static final class Kind {
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
  }

  private Kind kind(ObjectPath path) {
    return kinds.computeIfAbsent(path.kind(), _ -> new Kind());
  }

  synchronized Outcome get(ObjectPath path) {
    ObjectNode object = kind(path).objects.get(path.key());
    return object == null ? missing(path) : new Outcome(200, object);
  }

  /** All objects of the kind, with the version from which a watch goes on. */
  synchronized ObjectNode list(ObjectPath path) {
    ObjectNode list = NODES.objectNode().put("kind", "List").put("apiVersion", "v1");
    list.putObject("metadata").put("resourceVersion", Long.toString(version));
    ArrayNode items = list.putArray("items");
    kind(path).objects.values().forEach(items::add);
    return list;
  }

  /** Stores a new object under its own name. */
  synchronized Outcome create(ObjectPath collection, JsonNode object) {
    ObjectPath path = collection.named(object.at("/metadata/name").asText());
    if (kind(path).objects.containsKey(path.key())) {
      return failure(409, "AlreadyExists", path);
    }
    return new Outcome(201, write(path, "ADDED", null, object));
  }

  /** Stores the object in place of what is there. */
  synchronized Outcome replace(ObjectPath path, JsonNode object) {
    return update(path, object.at("/metadata/resourceVersion").asText(), _ -> object);
  }

  /** Applies a merge patch. */
  synchronized Outcome patch(ObjectPath path, JsonNode patch) {
    return update(
        path,
        patch.at("/metadata/resourceVersion").asText(),
        before -> MergePatch.applied(before, patch));
  }

  private Outcome update(ObjectPath path, String demanded, UnaryOperator<JsonNode> change) {
    ObjectNode before = kind(path).objects.get(path.key());
    if (before == null) {
      return new Outcome(201, write(path, "ADDED", null, change.apply(NODES.objectNode())));
    }
    if (!demanded.isEmpty() && !demanded.equals(versionOf(before))) {
      return failure(409, "Conflict", path);
    }
    JsonNode after = change.apply(before);
    return after.equals(before)
        ? new Outcome(200, before)
        : new Outcome(200, write(path, "MODIFIED", before, after));
  }

  synchronized Outcome delete(ObjectPath path) {
    ObjectNode before = kind(path).objects.get(path.key());
    return before == null
        ? missing(path)
        : new Outcome(200, write(path, "DELETED", before, before));
  }

  private ObjectNode write(
      ObjectPath path, String type, @Nullable ObjectNode before, JsonNode object) {
    version++;
    ObjectNode written = object.deepCopy();
    ObjectNode metadata = written.withObjectProperty("metadata");
    metadata.put("resourceVersion", Long.toString(version));
    if (!path.namespace().isEmpty()) {
      metadata.put("namespace", path.namespace());
    }
    if (before == null) {
      metadata.put("uid", new UUID(0, version).toString()).put("generation", 1);
      metadata.put("creationTimestamp", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    } else if (!before.path("spec").equals(written.path("spec"))) {
      metadata.put("generation", before.at("/metadata/generation").asInt() + 1);
    }
    Kind kind = kind(path);
    if (type.equals("DELETED")) {
      kind.objects.remove(path.key());
    } else {
      kind.objects.put(path.key(), written);
    }
    kind.changes.add(new Change(version, type, written));
    notifyAll();
    return written;
  }

  private static String versionOf(JsonNode object) {
    return object.at("/metadata/resourceVersion").asText();
  }

  private static Outcome missing(ObjectPath path) {
    return failure(404, "NotFound", path);
  }

  private static Outcome failure(int code, String reason, ObjectPath path) {
    return new Outcome(
        code,
        NODES
            .objectNode()
            .put("kind", "Status")
            .put("apiVersion", "v1")
            .put("status", "Failure")
            .put("message", "%s %s: %s".formatted(path.resource(), path.key(), reason))
            .put("reason", reason)
            .put("code", code));
  }

  /**
   * The changes of a kind after a version, in their order.
   *
   * @param patience how long to wait for the first one; then there may be none
   */
  synchronized List<Change> changesAfter(ObjectPath path, long known, Duration patience)
      throws InterruptedException {
    List<Change> changes = kind(path).changes;
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toMillis();
        left > 0 && (changes.isEmpty() || changes.getLast().version() <= known);
        left = Duration.ofNanos(end - System.nanoTime()).toMillis()) {
      wait(left);
    }
    int first = changes.size();
    while (first > 0 && changes.get(first - 1).version() > known) {
      first--;
    }
    return List.copyOf(changes.subList(first, changes.size()));
  }
}
