package dev.sluice.lifecycle.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;

/** Which objects have a value; an object may have several. Thread-safe. */
public final class ObjectIndex {
  private final Function<JsonNode, Set<String>> values;
  private final Map<String, Set<ObjectKey>> entries = new ConcurrentHashMap<>();

  /** An empty index of these values. */
  public ObjectIndex(Function<JsonNode, Set<String>> values) {
    this.values = values;
  }

  /** Takes note of a change. */
  public void note(ObjectChange change) {
    ObjectKey key = ObjectKey.of(change.latest());
    Set<String> before = change.before().map(values).orElse(Set.of());
    Set<String> after = change.after().map(values).orElse(Set.of());
    if (before.equals(after)) {
      return; // as nearly always
    }
    before.stream().filter(value -> !after.contains(value)).forEach(value -> drop(value, key));
    after.stream().filter(value -> !before.contains(value)).forEach(value -> add(value, key));
  }

  private void add(String value, ObjectKey key) {
    entries.compute(
        value,
        (_, known) -> {
          Set<ObjectKey> keys = known == null ? new ConcurrentSkipListSet<>() : known;
          keys.add(key);
          return keys;
        });
  }

  private void drop(String value, ObjectKey key) {
    entries.computeIfPresent(
        value,
        (_, known) -> {
          known.remove(key);
          return known.isEmpty() ? null : known;
        });
  }

  /** The objects with that value, in the order of their names. */
  public List<ObjectKey> find(String value) {
    return List.copyOf(entries.getOrDefault(value, Set.of()));
  }
}
