package dev.sluice.quota.topology;

import dev.sluice.api.flavor.ResourceFlavor;

/** A flavor whose nodes have a topology that can be used, with its domains. */
record Site(ResourceFlavor flavor, String topology, DomainForest forest) {
  String name() {
    return flavor.metadata().name();
  }

  Levels levels() {
    return forest.levels();
  }
}
