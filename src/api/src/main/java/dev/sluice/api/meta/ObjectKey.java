package dev.sluice.api.meta;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;

/** The name of an object within its namespace. Ordered by namespace, then by name. */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  public ObjectKey {
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
  }

  /** The key of the object with that metadata. */
  public static ObjectKey of(ObjectMeta metadata) {
    return new ObjectKey(metadata.namespace(), metadata.name());
  }

  /** The key of the object with that JSON; the namespace is empty for kinds without one. */
  public static ObjectKey of(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText());
  }

  @Override
  public int compareTo(ObjectKey other) {
    return namespace.equals(other.namespace) // mostly the very same
        ? name.compareTo(other.name)
        : namespace.compareTo(other.namespace);
  }

  // by hand, as it is asked more than anything else, also before it is compiled

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectKey that
        && name.equals(that.name)
        && namespace.equals(that.namespace);
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
