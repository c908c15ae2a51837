package dev.sluice.scheduler.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what a watch reports into changes for the engine. */
public final class EngineChanges {
  private static final Logger LOG = LoggerFactory.getLogger(EngineChanges.class);

  private EngineChanges() {}

  /**
   * The change for the engine. Empty for a kind that the engine does not follow, for a change of a
   * Pod that changes nothing on its node, and for a malformed object: the engine then keeps the
   * object as it was. A malformed Workload without quota is gone for the engine: no decision could
   * be stored, and it would be decided on again and again.
   */
  public static Optional<Change> of(GroupKind kind, ObjectChange change) {
    return kind.equals(ObjectKind.POD.id()) && !PodRoom.isNews(change)
        ? Optional.empty()
        : ObjectKind.of(kind).flatMap(it -> of(it, change));
  }

  private static <T> Optional<Change> of(ObjectKind<T> kind, ObjectChange change) {
    return of(kind, object -> HubObjects.read(kind.type(), object), change);
  }

  /** The change of a Workload that the given reader decodes; empty for a malformed one. */
  public static Optional<Change> ofWorkload(
      ObjectChange change, Function<JsonNode, Workload> reader) {
    return of(ObjectKind.WORKLOAD, reader, change);
  }

  /** The decided status is stored, and the API server answered with this Workload. */
  static List<Change> ofStored(Workload answer) {
    return List.of(
        new Change.WorkloadAnswered(answer),
        new Change.StatusStored(ObjectKey.of(answer.metadata()), answer.metadata().uid()));
  }

  /**
   * The changes that take back a decision and its consequences. The last one comes first: the
   * engine may run a cycle between two of these changes, and a slice that is decided again there
   * must find the slice that it replaces running, or no decision would end that one.
   */
  static List<Change> ofLost(StatusUpdate decided) {
    List<Change> changes = new ArrayList<>();
    for (StatusUpdate lost = decided; lost != null; lost = lost.then()) {
      if (lost.isAssumed()) {
        ObjectMeta base = lost.base().metadata();
        changes.addFirst(new Change.StatusWriteFailed(ObjectKey.of(base), base.uid()));
      }
    }
    return changes;
  }

  private static <T> Optional<Change> of(
      ObjectKind<T> kind, Function<JsonNode, T> reader, ObjectChange change) {
    return change
        .after()
        .map(object -> upserted(kind, reader, object))
        .orElseGet(() -> Optional.of(deleted(kind, change.latest())));
  }

  private static <T> Optional<Change> upserted(
      ObjectKind<T> kind, Function<JsonNode, T> reader, JsonNode object) {
    try {
      return Optional.of(Change.upserted(kind, reader.apply(object)));
    } catch (MalformedObjectException e) {
      LOG.warn("a malformed {} is ignored until it changes: {}", kind, e.getMessage());
      return kind.equals(ObjectKind.WORKLOAD) && !QuotaHold.isHeldBy(object)
          ? Optional.of(deleted(kind, object))
          : Optional.empty();
    }
  }

  private static Change deleted(ObjectKind<?> kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new Change.Deleted(
        kind,
        new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText()),
        metadata.path("uid").asText());
  }
}
