package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.util.List;
import java.util.Optional;

/**
 * An object on a worker that is being deleted and that finalizers of others hold. They are never
 * removed.
 *
 * @param kind its kind, without the group
 * @param namespace its namespace
 * @param name its name
 * @param finalizers those of others
 */
public record HeldObject(String kind, String namespace, String name, List<String> finalizers) {
  public HeldObject {
    requireNonNull(kind, "kind");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
    finalizers = List.copyOf(finalizers);
  }

  /** That object, if it is held. */
  public static Optional<HeldObject> of(String kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    List<String> finalizers =
        metadata
            .path("finalizers")
            .valueStream()
            .map(JsonNode::asText)
            .filter(it -> !it.equals(Finalizers.RESOURCE_IN_USE))
            .toList();
    return finalizers.isEmpty() || !Withdrawal.isBeingDeleted(object)
        ? Optional.empty()
        : Optional.of(
            new HeldObject(
                kind,
                metadata.path("namespace").asText(""),
                metadata.path("name").asText(),
                finalizers));
  }

  /** What it means for a Workload that waits. */
  WaitingReason reason() {
    return new WaitingReason.HeldByFinalizer(kind, name, String.join(", ", finalizers));
  }

  /** What users read. */
  public String text() {
    return "%s %s/%s is being deleted, held by finalizer %s"
        .formatted(kind, namespace, name, String.join(", ", finalizers));
  }
}
