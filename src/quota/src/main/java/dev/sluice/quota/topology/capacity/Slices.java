package dev.sluice.quota.topology.capacity;

import java.util.List;

/**
 * How pods stay together in slices: {@code size} pods of a slice within one domain of {@code
 * level}, and smaller parts of them within smaller domains.
 *
 * @param units for each level, in how many pods at a time a domain of it is filled; 1 at and above
 *     the level of the slices
 */
public record Slices(int level, long size, List<Long> units) {
  public Slices {
    units = List.copyOf(units);
  }

  public long unit(int at) {
    return units.get(at);
  }
}
