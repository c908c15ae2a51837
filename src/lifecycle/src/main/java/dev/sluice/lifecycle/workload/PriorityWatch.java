package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.PriorityClassKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Distinguishes a priority that somebody edits on a Workload from one that lags behind its
 * WorkloadPriorityClass. It knows only the changes of this process: an edit is remembered for
 * longer by an annotation, see {@link FollowedPriority}. Thread-safe.
 */
public final class PriorityWatch {
  /** The present value of each WorkloadPriorityClass. */
  private final Map<String, Integer> values = new ConcurrentHashMap<>();

  private final Set<ObjectKey> edited = ConcurrentHashMap.newKeySet();
  private final Set<ObjectKey> behind = ConcurrentHashMap.newKeySet();

  PriorityWatch() {}

  /** Whether somebody changed its priority, and its class has not changed since. */
  public boolean isEdited(ObjectKey workload) {
    return edited.contains(workload);
  }

  /** Whether its class changed, and its priority does not have the new value yet. */
  public boolean isBehind(ObjectKey workload) {
    return behind.contains(workload);
  }

  /**
   * Takes note of a change of a WorkloadPriorityClass.
   *
   * @param named the Workloads that name it at the time of the call; a deleted one leaves them
   *     before {@link #noteWorkload}
   */
  void noteClass(ObjectChange change, Supplier<List<ObjectKey>> named) {
    String name = ObjectKey.of(change.latest()).name();
    Optional<Integer> value = change.after().map(it -> it.path("value").asInt());
    Integer before = value.isPresent() ? values.put(name, value.get()) : values.remove(name);
    if (before != null && value.isPresent() && !value.get().equals(before)) {
      List<ObjectKey> marked = named.get();
      for (ObjectKey workload : marked) {
        edited.remove(workload);
        behind.add(workload);
      }
      Set<ObjectKey> left = Set.copyOf(named.get());
      marked.stream().filter(it -> !left.contains(it)).forEach(behind::remove);
    }
  }

  /** Takes note of a change of a Workload. */
  void noteWorkload(ObjectChange change) {
    ObjectKey key = ObjectKey.of(change.latest());
    Optional<String> named = change.after().flatMap(PriorityWatch::className);
    if (named.isEmpty() || !isOneObject(change)) {
      edited.remove(key);
      behind.remove(key);
    }
    if (named.isEmpty()) {
      return;
    }
    JsonNode priority = priority(change.after().get());
    Integer value = values.get(named.get());
    if (value != null && priority.isInt() && priority.asInt() == value) {
      edited.remove(key);
      behind.remove(key);
    } else if (value != null && !behind.contains(key) && isEdit(change, named.get())) {
      edited.add(key);
    }
  }

  private static boolean isOneObject(ObjectChange change) {
    return change
        .before()
        .filter(it -> uid(it).equals(change.after().map(PriorityWatch::uid).orElse("")))
        .isPresent();
  }

  private static boolean isEdit(ObjectChange change, String className) {
    return isOneObject(change)
        && change.before().flatMap(PriorityWatch::className).filter(className::equals).isPresent()
        && !change
            .before()
            .map(PriorityWatch::priority)
            .equals(change.after().map(PriorityWatch::priority));
  }

  private static String uid(JsonNode object) {
    return object.path("metadata").path("uid").asText();
  }

  private static JsonNode priority(JsonNode workload) {
    return workload.path("spec").path("priority");
  }

  private static Optional<String> className(JsonNode workload) {
    JsonNode reference = workload.path("spec").path("priorityClassRef");
    return Optional.of(reference.path("name").asText())
        .filter(
            it ->
                !it.isEmpty()
                    && reference
                        .path("kind")
                        .asText()
                        .equals(PriorityClassKind.WORKLOAD_PRIORITY_CLASS.text()));
  }
}
