package dev.sluice.quota.topology.domain;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.quota.topology.Levels;

/** A flavor with the domains that its topology makes of its nodes. */
public record FlavorTopology(ResourceFlavor flavor, String topology, DomainForest forest) {
  public String name() {
    return flavor.metadata().name();
  }

  public Levels levels() {
    return forest.levels();
  }
}
