package dev.sluice.api.meta;

import org.jspecify.annotations.Nullable;

/** The object that this one belongs to, in the same namespace. */
public record OwnerReference(
    String apiVersion,
    String kind,
    String name,
    String uid,
    @Nullable Boolean controller,
    @Nullable Boolean blockOwnerDeletion) {
  public OwnerReference {
    apiVersion = apiVersion.intern(); // one of few for very many objects
    kind = kind.intern();
  }
}
