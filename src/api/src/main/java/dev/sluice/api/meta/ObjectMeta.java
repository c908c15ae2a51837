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

  /** A builder with all that this one has. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Builds metadata from another one; what is not set stays as it was there. For one thread. */
  public static final class Builder {
    private String name;
    private String namespace;
    private @Nullable String generateName;
    private String uid;
    private @Nullable String resourceVersion;
    private @Nullable Long generation;
    private @Nullable Instant creationTimestamp;
    private @Nullable Instant deletionTimestamp;
    private Map<String, String> labels;
    private Map<String, String> annotations;
    private List<OwnerReference> ownerReferences;
    private List<String> finalizers;

    private Builder(ObjectMeta from) {
      this.name = from.name;
      this.namespace = from.namespace;
      this.generateName = from.generateName;
      this.uid = from.uid;
      this.resourceVersion = from.resourceVersion;
      this.generation = from.generation;
      this.creationTimestamp = from.creationTimestamp;
      this.deletionTimestamp = from.deletionTimestamp;
      this.labels = from.labels;
      this.annotations = from.annotations;
      this.ownerReferences = from.ownerReferences;
      this.finalizers = from.finalizers;
    }

    public Builder name(String value) {
      this.name = value;
      return this;
    }

    public Builder namespace(String value) {
      this.namespace = value;
      return this;
    }

    public Builder generateName(@Nullable String value) {
      this.generateName = value;
      return this;
    }

    public Builder uid(String value) {
      this.uid = value;
      return this;
    }

    public Builder resourceVersion(@Nullable String value) {
      this.resourceVersion = value;
      return this;
    }

    public Builder generation(@Nullable Long value) {
      this.generation = value;
      return this;
    }

    public Builder creationTimestamp(@Nullable Instant value) {
      this.creationTimestamp = value;
      return this;
    }

    public Builder deletionTimestamp(@Nullable Instant value) {
      this.deletionTimestamp = value;
      return this;
    }

    public Builder labels(Map<String, String> value) {
      this.labels = value;
      return this;
    }

    public Builder annotations(Map<String, String> value) {
      this.annotations = value;
      return this;
    }

    public Builder ownerReferences(List<OwnerReference> value) {
      this.ownerReferences = value;
      return this;
    }

    public Builder finalizers(List<String> value) {
      this.finalizers = value;
      return this;
    }

    public ObjectMeta build() {
      return new ObjectMeta(
          name,
          namespace,
          generateName,
          uid,
          resourceVersion,
          generation,
          creationTimestamp,
          deletionTimestamp,
          labels,
          annotations,
          ownerReferences,
          finalizers);
    }
  }
}
