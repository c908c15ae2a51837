package dev.sluice.api.meta;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Copies that nobody can change and that keep the order, since order reaches messages. */
public final class Copies {
  private Copies() {}

  /** An unmodifiable copy in the same order. */
  public static <K, V> Map<K, V> of(Map<K, V> map) {
    return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
