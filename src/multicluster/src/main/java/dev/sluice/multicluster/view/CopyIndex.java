package dev.sluice.multicluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.copy.OwnershipMarks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a worker belong to which Workload, and which managers made them. Thread-safe.
 */
final class CopyIndex {
  private final Map<ObjectKey, Set<TypedObjectKey>> jobs = new ConcurrentHashMap<>();
  private final NavigableSet<ObjectKey> workloads = new ConcurrentSkipListSet<>();

  /** How many objects each manager made, by kind; the empty name is for those without a mark. */
  private final Map<String, Map<GroupKind, Integer>> managers = new ConcurrentHashMap<>();

  private final Map<CopyState, Integer> states = new ConcurrentHashMap<>();

  /** The Workload that an object is of; empty if a job does not say that. */
  static Optional<ObjectKey> workloadOf(GroupKind kind, JsonNode object) {
    if (kind.equals(WorkerKinds.WORKLOAD)) {
      return Optional.of(ObjectKey.of(object));
    }
    String name = JobCopies.workloadOf(object);
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(new ObjectKey(ObjectKey.of(object).namespace(), name));
  }

  /** The Workloads that a change concerns. */
  static List<ObjectKey> concernedBy(GroupKind kind, ObjectChange change) {
    List<ObjectKey> concerned = new ArrayList<>();
    change.before().flatMap(it -> workloadOf(kind, it)).ifPresent(concerned::add);
    change
        .after()
        .flatMap(it -> workloadOf(kind, it))
        .filter(it -> !concerned.contains(it))
        .ifPresent(concerned::add);
    return concerned;
  }

  void note(GroupKind kind, ObjectChange change) {
    change.before().ifPresent(it -> remove(kind, it));
    change.after().ifPresent(it -> add(kind, it));
  }

  private void add(GroupKind kind, JsonNode object) {
    count(object, kind, 1);
    if (kind.equals(WorkerKinds.WORKLOAD)) {
      workloads.add(ObjectKey.of(object));
      states.merge(CopyState.of(object), 1, Integer::sum);
      return;
    }
    workloadOf(kind, object)
        .ifPresent(
            it ->
                jobs.compute(
                    it,
                    (_, known) -> {
                      Set<TypedObjectKey> of =
                          known == null ? ConcurrentHashMap.newKeySet() : known;
                      of.add(TypedObjectKey.of(kind, object));
                      return of;
                    }));
  }

  private void remove(GroupKind kind, JsonNode object) {
    count(object, kind, -1);
    if (kind.equals(WorkerKinds.WORKLOAD)) {
      workloads.remove(ObjectKey.of(object));
      states.merge(CopyState.of(object), -1, Integer::sum);
      return;
    }
    workloadOf(kind, object)
        .ifPresent(it -> jobs.computeIfPresent(it, (_, known) -> without(known, kind, object)));
  }

  private void count(JsonNode object, GroupKind kind, int change) {
    managers.compute(
        OwnershipMarks.of(object).manager(),
        (_, known) -> changed(known == null ? Map.of() : known, kind, change));
  }

  private static @Nullable Map<GroupKind, Integer> changed(
      Map<GroupKind, Integer> known, GroupKind kind, int change) {
    Map<GroupKind, Integer> counts = new HashMap<>(known);
    counts.merge(kind, change, Integer::sum);
    counts.values().removeIf(it -> it == 0);
    return counts.isEmpty() ? null : Map.copyOf(counts);
  }

  private static @Nullable Set<TypedObjectKey> without(
      Set<TypedObjectKey> known, GroupKind kind, JsonNode object) {
    known.remove(TypedObjectKey.of(kind, object));
    return known.isEmpty() ? null : known;
  }

  /** The jobs that name that Workload. */
  List<TypedObjectKey> jobsOf(ObjectKey workload) {
    return List.copyOf(jobs.getOrDefault(workload, Set.of()));
  }

  /** Whether anything there is of that Workload. */
  boolean has(ObjectKey workload) {
    return workloads.contains(workload) || jobs.containsKey(workload);
  }

  /** Every Workload of which something is there. */
  Set<ObjectKey> all() {
    Set<ObjectKey> all = ConcurrentHashMap.newKeySet();
    all.addAll(workloads);
    all.addAll(jobs.keySet());
    return all;
  }

  /** How many Workloads are there. */
  int copies() {
    return workloads.size();
  }

  /** How many Workloads are there in that state. */
  int copies(CopyState state) {
    return states.getOrDefault(state, 0);
  }

  /** How many objects that manager made, by kind; the empty name is for those without a mark. */
  Map<GroupKind, Integer> objectsOf(String manager) {
    return managers.getOrDefault(manager, Map.of());
  }

  /** Whether another manager than that made some of the objects. */
  boolean isSharedBesides(String manager) {
    return managers.keySet().stream().anyMatch(it -> !it.isEmpty() && !it.equals(manager));
  }
}
