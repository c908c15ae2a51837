package dev.sluice.multicluster.controller;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Keys that are kept for a limited time after they were added. Thread-safe. */
final class RecentKeys<K> {
  private final InstantSource clock;
  private final Duration lifetime;
  private final Map<K, Instant> added = new ConcurrentHashMap<>();

  /** Without keys. */
  RecentKeys(InstantSource clock, Duration lifetime) {
    this.clock = clock;
    this.lifetime = lifetime;
  }

  /** Adds a key, or starts its time again. */
  void add(K key) {
    Instant now = clock.instant();
    added.values().removeIf(it -> !isRecent(it, now));
    added.put(key, now);
  }

  boolean contains(K key) {
    Instant when = added.get(key);
    return when != null && isRecent(when, clock.instant());
  }

  /** A copy of the keys whose time is not over. */
  Set<K> all() {
    Instant now = clock.instant();
    return added.entrySet().stream()
        .filter(it -> isRecent(it.getValue(), now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isRecent(Instant when, Instant now) {
    return !when.plus(lifetime).isBefore(now);
  }
}
