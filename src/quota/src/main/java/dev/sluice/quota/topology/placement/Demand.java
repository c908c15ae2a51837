package dev.sluice.quota.topology.placement;

import dev.sluice.quota.topology.capacity.Profile;
import dev.sluice.quota.topology.domain.FlavorTopology;

/**
 * The request of a PodSet, or of workers with their leader, to the domains of one flavor.
 *
 * @param count the pods, without the leader
 * @param level at which they must be together
 * @param from the first allowed leaf
 * @param to the leaf after the last allowed one
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
