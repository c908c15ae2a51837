package dev.sluice.cli.world;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Turns objects of manifests into changes for the engine. */
final class Changes {
  private static final Map<String, ObjectKind<?>> KINDS =
      ObjectKind.all().stream()
          .collect(Collectors.toUnmodifiableMap(kind -> kind.id().kind(), Function.identity()));

  private Changes() {}

  /**
   * The change for an object that is there now; empty for a kind that the engine does not follow.
   *
   * @throws IllegalArgumentException naming the object and the field, if it is malformed
   */
  static Optional<Change> of(JsonNode object) {
    return Optional.ofNullable(KINDS.get(object.path("kind").asText()))
        .map(kind -> upserted(kind, object));
  }

  private static <T> Change upserted(ObjectKind<T> kind, JsonNode object) {
    return Change.upserted(kind, HubObjects.read(kind.type(), object));
  }

  /** The change for an object that is deleted; empty for a kind that the engine does not follow. */
  static Optional<Change> gone(ObjectRef ref) {
    return Optional.ofNullable(KINDS.get(ref.kind()))
        .map(kind -> new Change.Deleted(kind, new ObjectKey(ref.namespace(), ref.name())));
  }
}
