package dev.sluice.scheduler.queue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.util.Optional;

/** The finalizer that protects objects in use from deletion. */
final class InUse {
  private static final String MANAGER = "kueue";

  private InUse() {}

  /**
   * It is added while the object is used, and removed once the object is being deleted and unused.
   */
  static Optional<Write> kept(ApiKind kind, ObjectMeta metadata, boolean used) {
    boolean has = metadata.finalizers().contains(Finalizers.RESOURCE_IN_USE);
    boolean leaving = metadata.deletionTimestamp() != null;
    if (has ? !leaving || used : leaving || !used) {
      return Optional.empty();
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode finalizers = body.putObject("metadata").putArray("finalizers");
    metadata.finalizers().stream()
        .filter(f -> !f.equals(Finalizers.RESOURCE_IN_USE))
        .forEach(finalizers::add);
    if (!has) {
      finalizers.add(Finalizers.RESOURCE_IN_USE);
    }
    return Optional.of(
        new Write.MergePatch(ref(kind, metadata), "", body, MANAGER, metadata.resourceVersion()));
  }

  static ObjectRef ref(ApiKind kind, ObjectMeta metadata) {
    return new ObjectRef(kind.hub(), metadata.namespace(), metadata.name(), metadata.uid());
  }
}
