package dev.sluice.quota.decision;

import dev.sluice.api.workload.DelayedTopologyRequestState;
import dev.sluice.quota.topology.PodPlacement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was found for one PodSet.
 *
 * @param requests units of each resource for {@code count} pods
 * @param flavors by resource; empty where no flavor could be found
 * @param refusals of the flavors that were tried and not good enough
 * @param failed whether it could not be served at all
 * @param placement the domains for its pods, or null where they may run anywhere or were not placed
 * @param delayed whether domains are found only after the admission checks; null where they are not
 */
public record AssignedPodSet(
    String name,
    int count,
    Map<String, Long> requests,
    Map<String, AssignedFlavor> flavors,
    List<Refusal> refusals,
    boolean failed,
    @Nullable PodPlacement placement,
    @Nullable DelayedTopologyRequestState delayed) {
  public AssignedPodSet {
    requests = Collections.unmodifiableMap(new TreeMap<>(requests));
    flavors = Collections.unmodifiableMap(new TreeMap<>(flavors));
    refusals = List.copyOf(refusals);
  }

  /** A PodSet whose pods are not placed. */
  public AssignedPodSet(
      String name,
      int count,
      Map<String, Long> requests,
      Map<String, AssignedFlavor> flavors,
      List<Refusal> refusals,
      boolean failed) {
    this(name, count, requests, flavors, refusals, failed, null, null);
  }

  /** The same with its pods placed so. */
  public AssignedPodSet placed(
      @Nullable PodPlacement places, @Nullable DelayedTopologyRequestState state) {
    return new AssignedPodSet(name, count, requests, flavors, refusals, failed, places, state);
  }

  /** The same, to be had only after others gave way, for one reason more. */
  public AssignedPodSet preempting(@Nullable Refusal because) {
    Map<String, AssignedFlavor> changed = new HashMap<>();
    flavors.forEach((resource, flavor) -> changed.put(resource, flavor.preempting()));
    return new AssignedPodSet(
        name, count, requests, changed, with(because), failed, placement, delayed);
  }

  /** The same, which cannot be served, for one reason more. */
  public AssignedPodSet failing(Refusal because) {
    return new AssignedPodSet(
        name, count, requests, flavors, with(because), true, placement, delayed);
  }

  private List<Refusal> with(@Nullable Refusal because) {
    List<Refusal> all = new ArrayList<>(refusals);
    if (because != null) {
      all.add(because);
    }
    return all;
  }

  /** The worst of its flavors. */
  public Mode mode() {
    if (failed) {
      return Mode.NO_FIT;
    }
    Mode worst = Mode.FIT;
    for (AssignedFlavor flavor : flavors.values()) {
      Mode mode = Mode.of(flavor.mode());
      worst = mode.compareTo(worst) < 0 ? mode : worst;
    }
    return worst;
  }
}
