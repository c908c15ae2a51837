package dev.sluice.quota.world;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.ObjectMeta;

/** The name of an object within its namespace. Ordered by namespace, then by name. */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  public ObjectKey {
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
  }

  public static ObjectKey of(ObjectMeta metadata) {
    return new ObjectKey(metadata.namespace(), metadata.name());
  }

  @Override
  public int compareTo(ObjectKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
