package dev.sluice.cluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind, by namespace and name and by the uid of their controlling owner. One
 * thread writes at a time; any number read meanwhile without waiting, and may see an object a
 * moment before the index of its owner shows it.
 */
final class ObjectStore {
  // by hash, as most ask for one by its name; the order of the names is kept beside it
  private final Map<ObjectKey, JsonNode> objects = new ConcurrentHashMap<>();
  private final NavigableSet<ObjectKey> names = new ConcurrentSkipListSet<>();
  private final Map<String, NavigableMap<ObjectKey, JsonNode>> byOwner = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Consumer<ObjectChange> listener;

  ObjectStore() {
    this(_ -> {});
  }

  /** A store that reports each change on the writing thread, after readers can see it. */
  ObjectStore(Consumer<ObjectChange> listener) {
    this.listener = listener;
  }

  void put(JsonNode object) {
    ObjectKey name = ObjectKey.of(object);
    JsonNode before = objects.put(name, object);
    if (before == null) {
      names.add(name);
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
    JsonNode held = objects.get(ObjectKey.of(object));
    return held != null && Version.of(held).equals(Version.of(object));
  }

  /** What is held, at this moment. */
  Map<ObjectKey, Version> versions() {
    Map<ObjectKey, Version> versions = new HashMap<>();
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

  void remove(ObjectKey name) {
    JsonNode before = objects.remove(name);
    if (before != null) {
      names.remove(name);
      count.decrementAndGet();
      disown(owner(before), name);
      listener.accept(new ObjectChange(Optional.of(before), Optional.empty()));
    }
  }

  private void disown(String owner, ObjectKey name) {
    byOwner.computeIfPresent(
        owner,
        (_, owned) -> {
          owned.remove(name);
          return owned.isEmpty() ? null : owned;
        });
  }

  /** Forgets all objects but these. */
  void retain(Set<ObjectKey> names) {
    Set<ObjectKey> gone = new HashSet<>(objects.keySet());
    gone.removeAll(names);
    gone.forEach(this::remove);
  }

  Optional<JsonNode> find(String namespace, String name) {
    return Optional.ofNullable(objects.get(new ObjectKey(namespace, name)));
  }

  List<JsonNode> list(String namespace) {
    // the name after a name is itself and a zero: no namespace lies between
    return List.copyOf(
        new InOrder(
            names.subSet(new ObjectKey(namespace, ""), new ObjectKey(namespace + "\0", ""))));
  }

  List<JsonNode> controlledBy(String uid) {
    NavigableMap<ObjectKey, JsonNode> owned = byOwner.get(uid);
    return owned == null ? List.of() : List.copyOf(owned.values());
  }

  int size() {
    return count.get();
  }

  Collection<JsonNode> all() {
    return new InOrder(names);
  }

  /** The objects of some names, in their order; each that is still there when it is its turn. */
  private final class InOrder extends AbstractCollection<JsonNode> {
    private final SortedSet<ObjectKey> some;

    InOrder(SortedSet<ObjectKey> some) {
      this.some = some;
    }

    @Override
    public int size() {
      return some.size();
    }

    /** Without a size, which others change meanwhile. */
    @Override
    public Spliterator<JsonNode> spliterator() {
      return Spliterators.spliteratorUnknownSize(
          iterator(), Spliterator.ORDERED | Spliterator.NONNULL);
    }

    @Override
    public Iterator<JsonNode> iterator() {
      Iterator<ObjectKey> left = some.iterator();
      return new Iterator<>() {
        private @Nullable JsonNode next = following();

        private @Nullable JsonNode following() {
          JsonNode found = null;
          while (found == null && left.hasNext()) {
            found = objects.get(left.next());
          }
          return found;
        }

        @Override
        public boolean hasNext() {
          return next != null;
        }

        @Override
        public JsonNode next() {
          JsonNode found = next;
          if (found == null) {
            throw new NoSuchElementException("no more objects");
          }
          next = following();
          return found;
        }
      };
    }
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
