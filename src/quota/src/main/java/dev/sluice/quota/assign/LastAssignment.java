package dev.sluice.quota.assign;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedFlavor;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.world.Shape;
import java.util.HashMap;
import java.util.Map;

/**
 * The progress of a search for flavors, so that the next search continues with the next flavor.
 *
 * @param tried by PodSet and resource, the index of the flavor at which the search stopped
 * @param generation of the queue's quota at that time
 */
public record LastAssignment(
    Map<String, Map<String, Integer>> tried, long generation, long cycle, Shape shape) {
  /** What that assignment leaves for the next attempt. */
  public static LastAssignment of(Assignment assignment, long generation, long cycle, Shape shape) {
    Map<String, Map<String, Integer>> tried = new HashMap<>();
    for (AssignedPodSet podSet : assignment.podSets()) {
      Map<String, Integer> own = new HashMap<>();
      podSet.flavors().forEach((resource, flavor) -> own.put(resource, flavor.tried()));
      tried.put(podSet.name(), Map.copyOf(own));
    }
    return new LastAssignment(Map.copyOf(tried), generation, cycle, shape);
  }

  /** Whether it still means something in that cycle, with the queue's quota of that generation. */
  public boolean holds(
      Shape currentShape,
      long currentGeneration,
      long currentCycle,
      EngineConfiguration configuration) {
    boolean advanced = currentGeneration > generation;
    boolean old =
        !configuration.on(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)
            || currentCycle - cycle >= 2;
    return shape.equals(currentShape) && !(advanced && old);
  }

  /** Whether the next search considers every flavor. */
  public boolean fromTheStart() {
    return tried.values().stream()
        .allMatch(own -> own.values().stream().allMatch(i -> i == AssignedFlavor.SAW_ALL));
  }

  /** Whether the search after that assignment considers every flavor. */
  public static boolean fromTheStart(Assignment assignment) {
    for (AssignedPodSet podSet : assignment.podSets()) { // asked for each head of each cycle
      for (AssignedFlavor flavor : podSet.flavors().values()) {
        if (flavor.tried() != AssignedFlavor.SAW_ALL) {
          return false;
        }
      }
    }
    return true;
  }

  /** The index of the flavor to start with. */
  int start(String podSet, String resource) {
    return tried.getOrDefault(podSet, Map.of()).getOrDefault(resource, AssignedFlavor.SAW_ALL) + 1;
  }
}
