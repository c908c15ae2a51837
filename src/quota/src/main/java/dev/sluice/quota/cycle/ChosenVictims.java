package dev.sluice.quota.cycle;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.preempt.Victim;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.trial.Held;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.WorkloadState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The victims of a cycle so far, which later heads find gone or in their way. For one thread. */
final class ChosenVictims {
  private final TopologyUsage room;
  private final Map<ObjectKey, Victim> preempted = new LinkedHashMap<>();

  /**
   * None yet.
   *
   * @param room what is taken of the domains in this cycle
   */
  ChosenVictims(TopologyUsage room) {
    this.room = room;
  }

  void add(List<Victim> victims) {
    victims.forEach(it -> preempted.put(it.held().workload().key(), it));
  }

  /** Whether what the head replaces, or one of its victims, was chosen for another head. */
  boolean overlap(Entry entry) {
    WorkloadState replaced = entry.head().replaced();
    if (replaced != null && preempted.containsKey(replaced.key())) {
      return true;
    }
    for (Victim victim : entry.nominated().victims()) {
      if (preempted.containsKey(victim.held().workload().key())) {
        return true;
      }
    }
    return false;
  }

  /** Those of the tree. */
  List<Held> goneFrom(TreeTrial trial) {
    return preempted.values().stream().map(Victim::held).filter(held -> trial.holds(held)).toList();
  }

  /** Those of other trees: their places count here, too. */
  List<ObjectKey> goneElsewhere(TreeTrial trial) {
    return preempted.values().stream()
        .map(Victim::held)
        .filter(held -> !trial.holds(held))
        .map(held -> held.workload().key())
        .toList();
  }

  /** Evaluates without the victims of others and those of the head. */
  boolean without(Entry entry, BooleanSupplier question) {
    if (preempted.isEmpty() && entry.nominated().victims().isEmpty()) {
      return question.getAsBoolean();
    }
    TreeTrial trial = entry.trial();
    Map<ObjectKey, Held> gone = new LinkedHashMap<>();
    goneFrom(trial).forEach(held -> gone.put(held.workload().key(), held));
    entry.nominated().victims().forEach(v -> gone.put(v.held().workload().key(), v.held()));
    List<ObjectKey> goneElsewhere = goneElsewhere(trial);
    gone.values().forEach(trial::remove);
    goneElsewhere.forEach(room::remove);
    boolean answer = question.getAsBoolean();
    goneElsewhere.forEach(room::add);
    gone.values().forEach(trial::add);
    return answer;
  }
}
