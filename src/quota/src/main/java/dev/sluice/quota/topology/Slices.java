package dev.sluice.quota.topology;

import java.util.List;

/**
 * How pods stay together in slices: {@code size} pods of a slice within one domain of {@code
 * level}, and smaller parts of them within smaller domains.
 *
 * @param units for each level, in how many pods at a time a domain of it is filled; 1 at and above
 *     the level of the slices
 */
record Slices(int level, long size, List<Long> units) {
  Slices {
    units = List.copyOf(units);
  }

  long unit(int at) {
    return units.get(at);
  }
}
