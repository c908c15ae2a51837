package dev.sluice.quota.topology.domain;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.quota.topology.Levels;

/** A flavor with the domains that its topology makes of its nodes. */
public record FlavorTopology(ResourceFlavor flavor, String topology, DomainForest forest) {
  public String name() {
    return flavor.metadata().name();
  }

  /** The same domains, in which other amounts may become free than in these. */
  public FlavorTopology fork() {
    return new FlavorTopology(flavor, topology, forest.fork());
  }

  public Levels levels() {
    return forest.levels();
  }
}
