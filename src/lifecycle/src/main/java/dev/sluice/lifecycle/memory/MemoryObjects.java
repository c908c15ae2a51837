package dev.sluice.lifecycle.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.InMemoryObjects;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.store.ObjectCache;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Objects in memory for controllers. A kind without any object so far is unknown: a reference to it
 * has no meaning. For one thread.
 */
public final class MemoryObjects implements ObjectCache {
  private final InMemoryObjects stored;
  private final Set<TypedObjectKey> removed = new HashSet<>();

  /** No objects yet; the listener learns of each change right after it. */
  public MemoryObjects(InMemoryObjects.Listener listener) {
    this(listener, 0);
  }

  /**
   * No objects yet; the listener learns of each change right after it.
   *
   * @param versions the resourceVersion from which those of objects count on
   */
  public MemoryObjects(InMemoryObjects.Listener listener, long versions) {
    this.stored =
        new InMemoryObjects(
            (kind, before, after) -> {
              if (after.isEmpty()) {
                removed.add(TypedObjectKey.of(kind, before.orElseThrow()));
              }
              listener.changed(kind, before, after);
            },
            versions);
  }

  /** Stores an object whole. */
  public void put(GroupVersionKind kind, JsonNode object, Instant now) {
    stored.put(kind, object, now);
  }

  /** Why the write is refused; empty if it is done. */
  public Optional<String> send(Write write, Instant now) {
    return stored.send(write, now);
  }

  /** Deletes an object, which stays until it has no finalizers. */
  public void delete(TypedObjectKey key, Instant now) {
    stored.delete(key.kind(), key.inKind(), now);
  }

  /** Deletes the objects that lost their last owner. */
  public void collectGarbage(Instant now) {
    stored.collectGarbage(now);
  }

  /** The object with that name of a kind that is so called, whatever its group. */
  public Optional<TypedObjectKey> named(String kind, String namespace, String name) {
    return stored.kinds().stream()
        .filter(it -> it.kind().equals(kind) && find(it, namespace, name).isPresent())
        .map(it -> new TypedObjectKey(it, namespace, name))
        .findFirst();
  }

  /** Whether the object is there, or was. */
  boolean hasSeen(TypedObjectKey key) {
    return removed.contains(key) || find(key.kind(), key.namespace(), key.name()).isPresent();
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return stored.find(kind, namespace, name);
  }

  @Override
  public Collection<JsonNode> all(GroupKind kind) {
    return stored.all(kind);
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String uid) {
    return stored.controlledBy(kind, uid);
  }

  @Override
  public boolean watches(GroupKind kind) {
    return knows(kind);
  }

  @Override
  public boolean knows(GroupKind kind) {
    return stored.kinds().contains(kind);
  }

  @Override
  public long reached(GroupKind kind) {
    return Long.MAX_VALUE;
  }
}
