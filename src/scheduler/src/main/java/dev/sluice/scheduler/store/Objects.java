package dev.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.lifecycle.store.ObjectCache;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Objects as last seen or last written by this process, whichever is later, so that a plan does not
 * repeat writes that were just made. Thread-safe; nothing waits.
 */
public final class Objects implements ObjectCache {
  private final WatchedView view;
  private final Map<TypedObjectKey, JsonNode> written = new ConcurrentHashMap<>();
  private final RecentReads reads = new RecentReads();

  /** Objects of that view. */
  public Objects(WatchedView view) {
    this.view = view;
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    Optional<JsonNode> seen = view.find(kind, namespace, name);
    return seen.map(it -> latest(kind, it));
  }

  private JsonNode latest(GroupKind kind, JsonNode seen) {
    JsonNode ours = written.isEmpty() ? null : written.get(TypedObjectKey.of(kind, seen));
    return ours != null && Versions.isLater(ours, seen) ? ours : seen;
  }

  /**
   * The Workload in a tree; a recently parsed tree is not parsed again.
   *
   * @throws MalformedObjectException if it does not have the form of a Workload
   */
  public Workload workload(JsonNode object) {
    return reads.read(object);
  }

  @Override
  public boolean watches(GroupKind kind) {
    return view.watches(kind);
  }

  @Override
  public boolean knows(GroupKind kind) {
    return view.knows(kind);
  }

  @Override
  public Collection<JsonNode> all(GroupKind kind) {
    return view.all(kind);
  }

  /** All objects of a kind, in the order of their names, each as last seen or last written. */
  public Stream<JsonNode> allLatest(GroupKind kind) {
    Stream<JsonNode> seen = view.all(kind).stream();
    boolean wroteSome = written.keySet().stream().anyMatch(it -> it.kind().equals(kind));
    return wroteSome ? seen.map(it -> latest(kind, it)) : seen; // a key for each is not for free
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String uid) {
    List<JsonNode> controlled = view.controlledBy(kind, uid);
    return controlled.isEmpty()
        ? controlled
        : controlled.stream().map(seen -> latest(kind, seen)).toList();
  }

  /** What the view knows of an object that another source reported. */
  public enum Presence {
    /** It shows this very object, at whatever version. */
    SHOWN,
    /** It has shown the end of it. */
    GONE,
    /** It has not reached that version yet. */
    TO_COME
  }

  /** Whether the view shows this object, shows its deletion, or does not know it yet. */
  public Presence presence(GroupKind kind, JsonNode object) {
    TypedObjectKey key = TypedObjectKey.of(kind, object);
    long reached = view.reached(kind); // before it is looked for, or an end between would be missed
    Optional<JsonNode> seen = view.find(kind, key.namespace(), key.name());
    if (seen.filter(it -> Versions.uid(it).equals(Versions.uid(object))).isPresent()) {
      return Presence.SHOWN;
    }
    return Versions.number(object) <= reached ? Presence.GONE : Presence.TO_COME;
  }

  @Override
  public long reached(GroupKind kind) {
    return view.reached(kind);
  }

  /** We wrote the object, and this is how the API server has it since. */
  public void wrote(GroupKind kind, JsonNode object) {
    TypedObjectKey key = TypedObjectKey.of(kind, object);
    Optional<JsonNode> seen = view.find(kind, key.namespace(), key.name());
    if (seen.isPresent() && Versions.isLater(object, seen.get())) {
      written.merge(key, object, (a, b) -> Versions.isLater(b, a) ? b : a);
      if (view.find(kind, key.namespace(), key.name()).isEmpty()) {
        written.remove(key); // deleted in the meantime; no other event would remove it
      }
    }
  }

  /** The view has changed: drops own writes that it shows now. */
  public void seen(GroupKind kind, ObjectChange change) {
    TypedObjectKey key = TypedObjectKey.of(kind, change.latest());
    written.computeIfPresent(
        key,
        (_, ours) ->
            change.after().isPresent() && Versions.isLater(ours, change.after().get())
                ? ours
                : null);
  }
}
