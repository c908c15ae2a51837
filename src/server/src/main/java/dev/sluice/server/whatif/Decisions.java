package dev.sluice.server.whatif;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.decision.Target;
import dev.sluice.see.explain.Assignments;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the cycles of a simulation decided. For one thread. */
final class Decisions {
  private final Map<ObjectKey, Assignment> last = new HashMap<>();
  private final Map<ObjectKey, Set<ObjectKey>> targets = new LinkedHashMap<>();

  /** Takes note of a cycle. */
  void note(CycleResult cycle) {
    for (Outcome outcome : cycle.outcomes()) {
      Assignments.of(outcome.decision()).ifPresent(it -> last.put(outcome.workload(), it));
      if (outcome.decision() instanceof Decision.Preempting preempting) {
        preempting.targets().stream()
            .map(Target::workload)
            .forEach(targets.computeIfAbsent(outcome.workload(), _ -> new LinkedHashSet<>())::add);
      }
    }
  }

  /** Who was evicted for that workload. */
  List<ObjectKey> preemptedBy(ObjectKey workload) {
    return List.copyOf(targets.getOrDefault(workload, Set.of()));
  }

  /** Who was evicted for any. */
  Set<ObjectKey> preempted() {
    Set<ObjectKey> all = new LinkedHashSet<>();
    targets.values().forEach(all::addAll);
    return all;
  }

  /** What was found for the pods of that workload; nothing where no cycle looked. */
  List<AssignedPodSet> podSetsOf(ObjectKey workload) {
    Assignment found = last.get(workload);
    return found == null ? List.of() : found.podSets();
  }

  /** Whether one of its PodSets fits nowhere, whatever ends. */
  boolean isHopeless(ObjectKey workload) {
    return podSetsOf(workload).stream()
        .anyMatch(
            it ->
                it.failed()
                    && !it.refusals().isEmpty()
                    && it.refusals().stream().allMatch(Decisions::isForever));
  }

  private static boolean isForever(Refusal refusal) {
    return switch (refusal) {
      case Refusal.Uncovered _, Refusal.Unsuitable _, Refusal.TooLarge _ -> true;
      case Refusal.NoRoom noRoom -> noRoom.ever();
      case Refusal.Lacking _ -> false;
    };
  }
}
