package dev.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.Workload;
import dev.sluice.cluster.view.ObjectChange;
import dev.sluice.cluster.view.WatchedView;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects as they were last seen or last written by us, whichever is later: who plans from it does
 * not plan again what was just done. Thread-safe; nothing waits.
 */
public final class Objects implements ObjectLookup {
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
    JsonNode ours = written.get(new TypedObjectKey(kind, namespace, name));
    return ours != null && seen.isPresent() && Versions.isLater(ours, seen.get())
        ? Optional.of(ours)
        : seen;
  }

  /**
   * What an object of ours says; one that was just read is not read again.
   *
   * @throws MalformedObjectException if it has not the form of a Workload
   */
  public Workload workload(JsonNode object) {
    return reads.read(object);
  }

  /** Whether that kind is watched, served or not. */
  public boolean watches(GroupKind kind) {
    return view.watches(kind);
  }

  /** Whether all objects of that kind are known. */
  public boolean knows(GroupKind kind) {
    return view.knows(kind);
  }

  /** All objects of the kind as they were last seen. */
  public Collection<JsonNode> all(GroupKind kind) {
    return view.all(kind);
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String uid) {
    return view.controlledBy(kind, uid);
  }

  /** Whether the object of that name is still at that version, as far as we know. */
  public boolean isAt(@Nullable String version, GroupKind kind, ObjectKey key) {
    return find(kind, key.namespace(), key.name())
        .filter(object -> Versions.text(object).equals(version))
        .isPresent();
  }

  /** What the view says of an object that somebody else told us of. */
  public enum Presence {
    /** It shows this very object, at whatever version. */
    SHOWN,
    /** It has shown the end of it. */
    GONE,
    /** It has not come so far yet. */
    TO_COME
  }

  /** Whether the view shows this object, does so no more, or does not know of it yet. */
  public Presence presence(GroupKind kind, JsonNode object) {
    TypedObjectKey key = TypedObjectKey.of(kind, object);
    long reached = view.reached(kind); // before it is looked for, or an end between would be missed
    Optional<JsonNode> seen = view.find(kind, key.namespace(), key.name());
    if (seen.filter(it -> Versions.uid(it).equals(Versions.uid(object))).isPresent()) {
      return Presence.SHOWN;
    }
    return Versions.number(object) <= reached ? Presence.GONE : Presence.TO_COME;
  }

  /** The version up to which all that happened to objects of the kind was seen; 0 for unknown. */
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
        written.remove(key); // deleted meanwhile: nobody else would forget it
      }
    }
  }

  /** The view has changed: forgets what it has caught up with. */
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
