package dev.sluice.api.meta;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Immutable copies that keep the order, since it is visible in messages. */
public final class Copies {
  private Copies() {}

  /** An unmodifiable copy in the same order, small where there are few entries. */
  public static <K, V> Map<K, V> of(Map<K, V> map) {
    if (map.isEmpty()) {
      return Map.of();
    }
    if (map instanceof FewEntries) {
      return map;
    }
    return map.size() <= FewEntries.MOST
        ? new FewEntries<>(map)
        : Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /** An unmodifiable copy of words that are the same few in very many objects, kept once each. */
  public static List<String> words(List<String> list) {
    List<String> words = new ArrayList<>(list.size());
    list.forEach(word -> words.add(word.intern()));
    return List.copyOf(words);
  }
}
