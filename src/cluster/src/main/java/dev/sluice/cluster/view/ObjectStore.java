package dev.sluice.cluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The objects of one kind, by namespace and name and by the uid of their controlling owner. One
 * thread writes at a time; any number read meanwhile without waiting, and may see an object a
 * moment before the index of its owner shows it.
 */
final class ObjectStore {
  private final ConcurrentNavigableMap<Name, JsonNode> objects = new ConcurrentSkipListMap<>();
  private final Map<String, NavigableMap<Name, JsonNode>> byOwner = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Consumer<ObjectChange> listener;

  ObjectStore() {
    this(_ -> {});
  }

  /** A store that tells each change, after readers can see it, on the thread that writes. */
  ObjectStore(Consumer<ObjectChange> listener) {
    this.listener = listener;
  }

  /** The name of an object, by which they are ordered. */
  record Name(String namespace, String name) implements Comparable<Name> {
    static Name of(JsonNode object) {
      JsonNode metadata = object.path("metadata");
      return new Name(metadata.path("namespace").asText(), metadata.path("name").asText());
    }

    @Override
    public int compareTo(Name other) {
      int order = namespace.compareTo(other.namespace);
      return order != 0 ? order : name.compareTo(other.name);
    }
  }

  void put(JsonNode object) {
    Name name = Name.of(object);
    JsonNode before = objects.put(name, object);
    if (before == null) {
      count.incrementAndGet();
    }
    String owner = owner(object);
    String ownerBefore = before == null ? "" : owner(before);
    if (!ownerBefore.equals(owner)) {
      disown(ownerBefore, name);
    }
    if (!owner.isEmpty()) {
      byOwner.computeIfAbsent(owner, _ -> new ConcurrentSkipListMap<>()).put(name, object);
    }
    listener.accept(new ObjectChange(Optional.ofNullable(before), Optional.of(object)));
  }

  /** Whether it is held in exactly this version. */
  boolean has(JsonNode object) {
    JsonNode held = objects.get(Name.of(object));
    return held != null && Version.of(held).equals(Version.of(object));
  }

  /** What is held, at this moment. */
  Map<Name, Version> versions() {
    Map<Name, Version> versions = new HashMap<>();
    objects.forEach((name, object) -> versions.put(name, Version.of(object)));
    return versions;
  }

  /** Which object of a name it is, and which state of it. */
  record Version(String uid, String resourceVersion) {
    static Version of(JsonNode object) {
      JsonNode metadata = object.path("metadata");
      return new Version(metadata.path("uid").asText(), metadata.path("resourceVersion").asText());
    }
  }

  void remove(Name name) {
    JsonNode before = objects.remove(name);
    if (before != null) {
      count.decrementAndGet();
      disown(owner(before), name);
      listener.accept(new ObjectChange(Optional.of(before), Optional.empty()));
    }
  }

  private void disown(String owner, Name name) {
    byOwner.computeIfPresent(
        owner,
        (_, owned) -> {
          owned.remove(name);
          return owned.isEmpty() ? null : owned;
        });
  }

  /** Forgets all objects but these. */
  void retain(Set<Name> names) {
    Set<Name> gone = new HashSet<>(objects.keySet());
    gone.removeAll(names);
    gone.forEach(this::remove);
  }

  Optional<JsonNode> find(String namespace, String name) {
    return Optional.ofNullable(objects.get(new Name(namespace, name)));
  }

  List<JsonNode> list(String namespace) {
    // the name after a name is itself and a zero: no namespace lies between
    return List.copyOf(
        objects.subMap(new Name(namespace, ""), new Name(namespace + "\0", "")).values());
  }

  List<JsonNode> controlledBy(String uid) {
    NavigableMap<Name, JsonNode> owned = byOwner.get(uid);
    return owned == null ? List.of() : List.copyOf(owned.values());
  }

  int size() {
    return count.get();
  }

  Collection<JsonNode> all() {
    return Collections.unmodifiableCollection(objects.values());
  }

  /** The uid of the controlling owner; empty if there is none. */
  static String owner(JsonNode object) {
    for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return owner.path("uid").asText();
      }
    }
    return "";
  }
}
