package dev.sluice.scheduler.engine;

import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.Workload;

/**
 * What is stored of a decision that gives places to a Workload with quota. Reviews let nothing of
 * an admission change but its places, though fewer pods may need one than have quota.
 */
final class PlacedQuota {
  private PlacedQuota() {}

  /** The Workload after the decision, with the quota that it had before. */
  static Workload of(Workload before, Workload after) {
    Admission quota = before.status().admission();
    Admission places = after.status().admission();
    if (quota == null || places == null) {
      return after;
    }
    Admission placed =
        new Admission(
            quota.clusterQueue(),
            quota.podSetAssignments().stream().map(it -> placed(it, places)).toList());
    return placed.equals(places)
        ? after
        : after.with(after.status().toBuilder().admission(placed).build());
  }

  private static PodSetAssignment placed(PodSetAssignment quota, Admission places) {
    return places.podSetAssignments().stream()
        .filter(it -> it.name().equals(quota.name()))
        .findFirst()
        .map(
            it ->
                new PodSetAssignment(
                    quota.name(),
                    quota.flavors(),
                    quota.resourceUsage(),
                    quota.count(),
                    it.topologyAssignment(),
                    it.delayedTopologyRequest()))
        .orElse(quota);
  }
}
