package dev.sluice.cli.world;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the conditions of a workload say. */
final class WorkloadConditions {
  private WorkloadConditions() {}

  static Optional<Condition> find(Workload workload, String type) {
    return workload.status().conditions().stream()
        .filter(condition -> condition.type().equals(type))
        .findFirst();
  }

  static boolean isTrue(Workload workload, String type) {
    return find(workload, type)
        .filter(condition -> condition.status() == ConditionStatus.TRUE)
        .isPresent();
  }

  /** The conditions with this one put in the place of the one of its type, or at the end. */
  static List<Condition> with(List<Condition> conditions, Condition condition) {
    List<Condition> changed = new ArrayList<>(conditions);
    for (int i = 0; i < changed.size(); i++) {
      Condition before = changed.get(i);
      if (before.type().equals(condition.type())) {
        changed.set(
            i, before.status() == condition.status() ? since(condition, before) : condition);
        return changed;
      }
    }
    changed.add(condition);
    return changed;
  }

  private static Condition since(Condition condition, Condition before) {
    return new Condition(
        condition.type(),
        condition.status(),
        condition.observedGeneration(),
        before.lastTransitionTime(),
        condition.reason(),
        condition.message());
  }
}
