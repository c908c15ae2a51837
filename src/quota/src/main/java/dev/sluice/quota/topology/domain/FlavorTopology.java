package dev.sluice.quota.topology.domain;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.quota.topology.Levels;

/** A flavor whose nodes have a topology that can be used, with its domains. */
public record FlavorTopology(ResourceFlavor flavor, String topology, DomainForest forest) {
  public String name() {
    return flavor.metadata().name();
  }

  public Levels levels() {
    return forest.levels();
  }
}
