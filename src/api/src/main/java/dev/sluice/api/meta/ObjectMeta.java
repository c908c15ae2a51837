package dev.sluice.api.meta;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every object has: the part of Kubernetes' metadata that decisions read. An object without a
 * name has the empty one, and one that lives in no namespace has the empty namespace.
 */
public record ObjectMeta(
    @Default("") String name,
    @Default("") String namespace,
    @Nullable String generateName,
    @Default("") String uid,
    @Nullable String resourceVersion,
    @Nullable Long generation,
    @Nullable Instant creationTimestamp,
    @Nullable Instant deletionTimestamp,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<OwnerReference> ownerReferences,
    List<String> finalizers) {
  public ObjectMeta {
    namespace = namespace.intern(); // one of few for very many objects
    labels = Copies.of(labels);
    annotations = Copies.of(annotations);
    ownerReferences = List.copyOf(ownerReferences);
    finalizers = Copies.words(finalizers);
  }
}
