package dev.sluice.quota.decision;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was found for one PodSet.
 *
 * @param requests units of each resource for {@code count} pods
 * @param flavors by resource; empty where the PodSet failed
 * @param refusals of the flavors that were tried and not good enough
 * @param failed whether it could not be served at all
 */
public record AssignedPodSet(
    String name,
    int count,
    Map<String, Long> requests,
    Map<String, AssignedFlavor> flavors,
    List<Refusal> refusals,
    boolean failed) {
  public AssignedPodSet {
    requests = Collections.unmodifiableMap(new TreeMap<>(requests));
    flavors = Collections.unmodifiableMap(new TreeMap<>(flavors));
    refusals = List.copyOf(refusals);
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
