package dev.sluice.quota;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.ObjectKey;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says for each {@link ObjectKind} which part of the engine takes its objects. */
final class ObjectRoutes {
  /** Takes the objects of one kind. */
  @FunctionalInterface
  interface Route<T> {
    /** Takes an object that was added or changed, or removes it where it is null. */
    void take(ObjectKey key, @Nullable T object, Instant now);
  }

  private final Map<ObjectKind<?>, Route<?>> routes = new IdentityHashMap<>();

  /** Adds the route of a kind. */
  <T> ObjectRoutes on(ObjectKind<T> kind, Route<T> route) {
    routes.put(kind, route);
    return this;
  }

  /**
   * The same routes, complete.
   *
   * @throws IllegalStateException if a kind has no route
   */
  ObjectRoutes complete() {
    for (ObjectKind<?> kind : ObjectKind.all()) {
      if (!routes.containsKey(kind)) {
        throw new IllegalStateException(kind + " has no route");
      }
    }
    return this;
  }

  <T> void put(ObjectKind<T> kind, T object, Instant now) {
    route(kind).take(kind.key(object), object, now);
  }

  void remove(ObjectKind<?> kind, ObjectKey key, Instant now) {
    route(kind).take(key, null, now);
  }

  @SuppressWarnings("unchecked") // only on() adds routes, each with a kind of its own type
  private <T> Route<T> route(ObjectKind<T> kind) {
    return (Route<T>) requireNonNull(routes.get(kind));
  }
}
