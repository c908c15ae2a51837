package dev.sluice.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.write.MergePatch;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.server.program.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes of queues and other objects that a recording is played with: each is merged into the
 * recorded object of its kind and name, or is there from the beginning.
 */
final class Edits {
  private record Name(ObjectKind<?> kind, ObjectKey key) {}

  private final Map<Name, JsonNode> patches = new LinkedHashMap<>();

  /**
   * The edits of those documents.
   *
   * @throws CommandException if one is of another version than the hub, a Workload, or of a kind
   *     that decides nothing
   */
  Edits(List<JsonNode> documents) {
    for (JsonNode document : documents) {
      GroupVersionKind kind =
          GroupVersionKind.of(document.path("apiVersion").asText(), document.path("kind").asText());
      ObjectKey key =
          new ObjectKey(
              document.at("/metadata/namespace").asText(), document.at("/metadata/name").asText());
      ObjectKind<?> known =
          ObjectKind.of(kind.groupKind())
              .filter(it -> it != ObjectKind.WORKLOAD)
              .orElseThrow(
                  () ->
                      new CommandException(
                          kind.kind() + " " + key + " (expected: a queue, flavor, or the like)"));
      if (kind.groupKind().group().equals(ApiVersion.GROUP)
          && !kind.apiVersion().equals(ApiVersion.HUB.groupVersion())) {
        throw new CommandException(
            "%s %s: %s (expected: %s; sluice convert makes it)"
                .formatted(kind.kind(), key, kind.apiVersion(), ApiVersion.HUB.groupVersion()));
      }
      patches.put(new Name(known, key), document);
    }
  }

  /** The change as it is to be instead. */
  Change of(Change change) {
    return change instanceof Change.Upserted<?> upserted ? merged(upserted) : change;
  }

  private <T> Change merged(Change.Upserted<T> recorded) {
    JsonNode patch = patches.get(new Name(recorded.kind(), recorded.key()));
    return patch == null
        ? recorded
        : read(
            recorded.kind(),
            MergePatch.applied(HubObjects.write((Record) recorded.object()), patch));
  }

  private static <T> Change read(ObjectKind<T> kind, JsonNode object) {
    try {
      return Change.upserted(kind, HubObjects.read(kind.type(), object));
    } catch (MalformedObjectException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The objects of the edits alone, for the beginning; recorded ones replace them. */
  List<Change> added() {
    List<Change> added = new ArrayList<>();
    ObjectNode nothing = JsonNodeFactory.instance.objectNode();
    patches.forEach(
        (name, patch) -> added.add(read(name.kind(), MergePatch.applied(nothing, patch))));
    return added;
  }
}
