package dev.sluice.server.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.MergePatch;
import dev.sluice.lifecycle.memory.MemoryObjects;
import java.time.Instant;
import java.util.Optional;

/**
 * What users apply to a cluster in memory: merged, completed as by an API server, defaulted and
 * checked as by the webhooks, and stored. For one thread.
 */
final class Submissions {
  private final MemoryObjects objects;
  private final Completion completion;
  private final SimulatedAdmission admission;

  Submissions(MemoryObjects objects, SimulatedAdmission admission) {
    this.objects = objects;
    this.completion = new Completion(objects);
    this.admission = admission;
  }

  /**
   * Creates an object, or changes the one of its kind and name.
   *
   * @throws IllegalArgumentException naming the object and the field, if it is malformed or refused
   */
  void apply(JsonNode object, Instant now) {
    JsonNode hub = HubForm.of(object);
    GroupVersionKind kind =
        GroupVersionKind.of(hub.path("apiVersion").asText(), hub.path("kind").asText());
    TypedObjectKey key = TypedObjectKey.of(kind.groupKind(), hub);
    if (kind.kind().isEmpty() || key.name().isEmpty()) {
      throw new IllegalArgumentException(text(key) + ": no kind or name (expected: both)");
    }
    Optional<JsonNode> before = objects.find(key.kind(), key.namespace(), key.name());
    ObjectNode merged =
        MergePatch.applied(before.orElseGet(JsonNodeFactory.instance::objectNode), hub).deepCopy();
    completion.complete(merged, now);
    objects.put(kind, admission.admit(kind, merged, before), now);
  }

  /** The object as messages name it: kind, then namespace and name. */
  static String text(TypedObjectKey key) {
    return key.kind().kind()
        + " "
        + (key.namespace().isEmpty() ? key.name() : key.inKind().toString());
  }
}
