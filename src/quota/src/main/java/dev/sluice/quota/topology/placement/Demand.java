package dev.sluice.quota.topology.placement;

import dev.sluice.quota.topology.capacity.Profile;
import dev.sluice.quota.topology.domain.FlavorTopology;

/**
 * What a PodSet, or workers with their leader, ask of the domains of one flavor.
 *
 * @param count the pods, without the leader
 * @param level at which they are to be together
 * @param from the first leaf they may have
 * @param to the first leaf after those they may have
 */
record Demand(
    FlavorTopology site, Profile profile, long count, int level, Manner manner, int from, int to) {
  /** How much it matters that pods are together. */
  enum Manner {
    /** All in one domain of the level, or nowhere. */
    REQUIRED,
    /** In one domain of the level, else of the next wider one, else in few. */
    PREFERRED,
    /** Anywhere. */
    UNCONSTRAINED
  }

  boolean led() {
    return profile.leader() != null;
  }

  /** In slices, the last of which may lack some pods. */
  long need() {
    return Math.ceilDiv(count, profile.slices().size());
  }

  boolean everywhere() {
    return from == 0 && to == site.forest().leaves().size();
  }
}
