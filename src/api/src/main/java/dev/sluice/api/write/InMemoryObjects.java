package dev.sluice.api.write;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a cluster in memory, and what an API server does with writes to them: uids,
 * resourceVersions and generations, the status apart from the rest, finalizers, the deletion of
 * what lost all its owners. It knows no schema and asks no webhook. Trees that come out are shared
 * and never change. For one thread.
 */
public final class InMemoryObjects {
  private static final String METADATA = "metadata";
  private static final String STATUS = "status";

  /** Learns of each change right after it. */
  @FunctionalInterface
  public interface Listener {
    /**
     * An object was created, changed or removed.
     *
     * @param before empty for one that was created
     * @param after empty for one that was removed
     */
    void changed(GroupKind kind, Optional<JsonNode> before, Optional<JsonNode> after);
  }

  private final Map<GroupKind, NavigableMap<ObjectKey, ObjectNode>> objects = new HashMap<>();
  private final Map<String, Set<TypedObjectKey>> dependents = new HashMap<>();
  private final Set<String> uids = new LinkedHashSet<>();
  private final Set<String> gone = new HashSet<>();
  private final LinkedHashSet<TypedObjectKey> orphanCandidates = new LinkedHashSet<>();
  private final Map<String, Integer> incarnations = new HashMap<>();
  private final Listener listener;
  private long versions;

  /** No objects yet. */
  public InMemoryObjects(Listener listener) {
    this(listener, 0);
  }

  /**
   * No objects yet.
   *
   * @param versions the resourceVersion from which those of objects count on
   */
  public InMemoryObjects(Listener listener, long versions) {
    this.listener = requireNonNull(listener, "listener");
    this.versions = versions;
  }

  /** The object of that name; the namespace is empty for kinds without one. */
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return Optional.ofNullable(of(kind).get(new ObjectKey(namespace, name)));
  }

  /** The objects of the kind, in the order of their namespaces and names. */
  public Collection<JsonNode> all(GroupKind kind) {
    return Collections.unmodifiableCollection(of(kind).values());
  }

  /** The kinds of which there are objects, or were. */
  public Set<GroupKind> kinds() {
    return Collections.unmodifiableSet(objects.keySet());
  }

  /** The objects of the kind with an owner of that uid that controls them, in order of names. */
  public List<JsonNode> controlledBy(GroupKind kind, String uid) {
    return dependents.getOrDefault(uid, Set.of()).stream()
        .filter(name -> name.kind().equals(kind))
        .map(TypedObjectKey::inKind)
        .sorted()
        .<JsonNode>map(key -> requireNonNull(of(kind).get(key)))
        .filter(object -> isControlledBy(object, uid))
        .toList();
  }

  private static boolean isControlledBy(JsonNode object, String uid) {
    return owners(object)
        .valueStream()
        .anyMatch(it -> it.path("uid").asText().equals(uid) && it.path("controller").asBoolean());
  }

  private static JsonNode owners(JsonNode object) {
    return object.path(METADATA).path("ownerReferences");
  }

  private NavigableMap<ObjectKey, ObjectNode> of(GroupKind kind) {
    return objects.getOrDefault(kind, Collections.emptyNavigableMap());
  }

  /**
   * Stores an object whole, in the place of the one of its kind and name if there is one. What the
   * API server would give it and it does not have, it gets: uid, generation, time of creation.
   */
  public JsonNode put(GroupVersionKind kind, JsonNode object, Instant now) {
    TypedObjectKey name = TypedObjectKey.of(kind.groupKind(), object);
    ObjectNode before = of(name.kind()).get(name.inKind());
    ObjectNode whole = object.deepCopy();
    ObjectNode metadata = whole.withObjectProperty(METADATA);
    putIfAbsent(metadata, "uid", before == null ? newUid(name) : uid(before));
    putIfAbsent(metadata, "creationTimestamp", now.toString());
    if (!metadata.hasNonNull("generation")) {
      metadata.put("generation", 1);
    }
    return before == null ? stored(name, whole) : replaced(name, before, whole);
  }

  private static void putIfAbsent(ObjectNode object, String field, String value) {
    if (!object.hasNonNull(field)) {
      object.put(field, value);
    }
  }

  /** The same whenever the same is done in the same order, and another for each life of a name. */
  private String newUid(TypedObjectKey name) {
    String uid =
        "%s-%s-%s"
            .formatted(name.kind().kind().toLowerCase(Locale.ROOT), name.namespace(), name.name());
    int lives = incarnations.merge(uid, 1, Integer::sum);
    return lives == 1 ? uid : uid + "-" + lives;
  }

  private static String uid(JsonNode object) {
    return object.path(METADATA).path("uid").asText();
  }

  private static String version(JsonNode object) {
    return object.path(METADATA).path("resourceVersion").asText();
  }

  private JsonNode stored(TypedObjectKey name, ObjectNode object) {
    copied(object, METADATA).put("resourceVersion", Long.toString(++versions));
    ObjectNode before =
        objects.computeIfAbsent(name.kind(), _ -> new TreeMap<>()).put(name.inKind(), object);
    if (before != null) {
      forget(name, before);
    }
    uids.add(uid(object));
    for (JsonNode owner : owners(object)) {
      String uid = owner.path("uid").asText();
      dependents.computeIfAbsent(uid, _ -> new LinkedHashSet<>()).add(name);
      if (gone.contains(uid)) {
        orphanCandidates.add(name);
      }
    }
    listener.changed(name.kind(), Optional.ofNullable(before), Optional.of(object));
    return object;
  }

  private void forget(TypedObjectKey name, JsonNode object) {
    owners(object)
        .forEach(it -> dependents.getOrDefault(it.path("uid").asText(), Set.of()).remove(name));
    uids.remove(uid(object));
  }

  /** Stores the new state of an object; a deleted object without finalizers is removed. */
  private JsonNode replaced(TypedObjectKey name, ObjectNode before, ObjectNode after) {
    if (before.equals(after)) {
      return before;
    }
    JsonNode metadata = after.path(METADATA);
    if (metadata.has("deletionTimestamp") && metadata.path("finalizers").isEmpty()) {
      removed(name, before);
      return after;
    }
    if (!before.path("spec").equals(after.path("spec"))) {
      long generation = before.path(METADATA).path("generation").asLong();
      copied(after, METADATA).put("generation", generation + 1);
    }
    return stored(name, after);
  }

  private void removed(TypedObjectKey name, ObjectNode object) {
    of(name.kind()).remove(name.inKind());
    forget(name, object);
    gone.add(uid(object));
    orphanCandidates.addAll(dependents.getOrDefault(uid(object), Set.of()));
    listener.changed(name.kind(), Optional.of(object), Optional.empty());
  }

  /** Deletes an object, which stays until it has no finalizers. Nothing if it is not there. */
  public void delete(GroupKind kind, ObjectKey key, Instant now) {
    TypedObjectKey name = new TypedObjectKey(kind, key.namespace(), key.name());
    ObjectNode object = of(kind).get(key);
    if (object == null) {
      return;
    }
    if (object.path(METADATA).path("finalizers").isEmpty()) {
      removed(name, object);
    } else if (!object.path(METADATA).has("deletionTimestamp")) {
      ObjectNode leaving = shallow(object);
      copied(leaving, METADATA).put("deletionTimestamp", now.toString());
      stored(name, leaving);
    }
  }

  /**
   * Deletes the objects that lost their last owner, as the garbage collector does. An owner that
   * was never here is not one that is gone.
   */
  public void collectGarbage(Instant now) {
    while (!orphanCandidates.isEmpty()) {
      TypedObjectKey name = orphanCandidates.removeFirst();
      ObjectNode object = of(name.kind()).get(name.inKind());
      if (object != null && isOrphan(object)) {
        delete(name.kind(), name.inKind(), now);
      }
    }
  }

  private boolean isOrphan(JsonNode object) {
    List<String> owners = owners(object).valueStream().map(it -> it.path("uid").asText()).toList();
    return owners.stream().anyMatch(gone::contains) && owners.stream().noneMatch(uids::contains);
  }

  /**
   * Does what an API server does with that write. An event changes nothing.
   *
   * @return why the API server refuses it; empty if it is done
   */
  public Optional<String> send(Write write, Instant now) {
    TypedObjectKey name = name(write.target());
    ObjectNode object = of(name.kind()).get(name.inKind());
    return switch (write) {
      case Write.Create _ when object != null -> Optional.of(write.target() + " exists");
      case Write.Create create -> {
        put(create.target().kind(), create.body(), now);
        yield Optional.empty();
      }
      case Write.Event _ -> Optional.empty();
      case Write _ when object == null || !uid(object).equals(write.target().uid()) ->
          Optional.of(write.target() + " is not found");
      case Write.Delete _ -> {
        delete(name.kind(), name.inKind(), now);
        yield Optional.empty();
      }
      case Write.MergePatch patch ->
          change(name, object, patch.resourceVersion(), patch.subresource(), patch.patch());
      case Write.Apply apply ->
          change(
              name,
              object,
              apply.body().path(METADATA).path("resourceVersion").textValue(),
              apply.subresource(),
              asMergePatch(apply.body(), object));
    };
  }

  private static TypedObjectKey name(ObjectRef target) {
    return new TypedObjectKey(target.kind().groupKind(), target.namespace(), target.name());
  }

  private Optional<String> change(
      TypedObjectKey name,
      ObjectNode before,
      @Nullable String demanded,
      String subresource,
      JsonNode patch) {
    if (demanded != null && !demanded.equals(version(before))) {
      return Optional.of("%s %s has changed".formatted(name.kind(), name.inKind()));
    }
    ObjectNode after = (ObjectNode) MergePatch.applied(before, patch);
    boolean ofStatus = subresource.equals(STATUS);
    ObjectNode kept = shallow(ofStatus ? before : after);
    JsonNode status = (ofStatus ? after : before).path(STATUS);
    kept.remove(STATUS);
    if (!status.isMissingNode()) {
      kept.set(STATUS, status);
    }
    replaced(name, before, kept);
    return Optional.empty();
  }

  /** Of lists only conditions are known to be merged; other members replace what is there. */
  private static ObjectNode asMergePatch(ObjectNode applied, JsonNode object) {
    ObjectNode patch = shallow(applied);
    patch.remove(List.of("apiVersion", "kind", METADATA));
    JsonNode conditions = applied.path(STATUS).path("conditions");
    if (conditions.isArray()) {
      Map<String, JsonNode> byType = new LinkedHashMap<>();
      object
          .path(STATUS)
          .path("conditions")
          .forEach(it -> byType.put(it.path("type").asText(), it));
      conditions.forEach(it -> byType.put(it.path("type").asText(), it));
      ArrayNode merged = copied(patch, STATUS).putArray("conditions");
      byType.values().forEach(merged::add);
    }
    return patch;
  }

  private static ObjectNode shallow(ObjectNode object) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    copy.setAll(object);
    return copy;
  }

  /**
   * The member as a copy that may be changed, which takes its place; an empty one if there is none.
   */
  private static ObjectNode copied(ObjectNode object, String member) {
    ObjectNode copy =
        object.path(member) instanceof ObjectNode there
            ? shallow(there)
            : JsonNodeFactory.instance.objectNode();
    object.set(member, copy);
    return copy;
  }
}
