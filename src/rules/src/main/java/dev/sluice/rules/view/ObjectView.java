package dev.sluice.rules.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A view of objects that are all at hand, from files for example. Never changes. */
public final class ObjectView implements ClusterView {
  private final Set<GroupKind> known;
  private final Map<GroupKind, NavigableMap<ObjectKey, JsonNode>> objects = new HashMap<>();

  /**
   * A view of these objects; of several with one name the last counts.
   *
   * @param known the kinds of which every object is among them
   * @param objects trees with {@code apiVersion}, {@code kind} and {@code metadata.name}
   */
  public ObjectView(Set<GroupKind> known, Iterable<JsonNode> objects) {
    this.known = Set.copyOf(known);
    for (JsonNode object : objects) {
      this.objects
          .computeIfAbsent(kind(object), _ -> new TreeMap<>())
          .put(ObjectKey.of(object), object);
    }
  }

  /** A view in which whatever kind one of these objects has is known. */
  public static ObjectView of(Iterable<JsonNode> objects) {
    Set<GroupKind> kinds = new HashSet<>();
    objects.forEach(object -> kinds.add(kind(object)));
    return new ObjectView(kinds, objects);
  }

  private static GroupKind kind(JsonNode object) {
    return GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText())
        .groupKind();
  }

  @Override
  public boolean knows(GroupKind kind) {
    return known.contains(kind);
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return Optional.ofNullable(of(kind).get(new ObjectKey(namespace, name)));
  }

  @Override
  public List<JsonNode> list(GroupKind kind, String namespace) {
    var found = new ArrayList<JsonNode>();
    of(kind)
        .forEach(
            (name, object) -> {
              if (name.namespace().equals(namespace)) {
                found.add(object);
              }
            });
    return found;
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String ownerUid) {
    return of(kind).values().stream().filter(it -> isControlledBy(it, ownerUid)).toList();
  }

  private NavigableMap<ObjectKey, JsonNode> of(GroupKind kind) {
    return objects.getOrDefault(kind, java.util.Collections.emptyNavigableMap());
  }

  private static boolean isControlledBy(JsonNode object, String uid) {
    for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
      if (owner.path("controller").asBoolean() && owner.path("uid").asText().equals(uid)) {
        return true;
      }
    }
    return false;
  }
}
