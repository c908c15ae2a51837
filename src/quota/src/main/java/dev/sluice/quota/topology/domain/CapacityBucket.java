package dev.sluice.quota.topology.domain;

import java.util.List;

/**
 * Names a place whose usage is counted as one: a node, which several flavors may share, or a larger
 * domain of one flavor. Compared by identity; a {@code TopologyUsage} keeps the amounts.
 */
public final class CapacityBucket {
  private final Name name;

  public CapacityBucket(Name name) {
    this.name = name;
  }

  public Name name() {
    return name;
  }

  @Override
  public String toString() {
    return name.toString();
  }

  /**
   * Names a bin.
   *
   * @param flavor empty where all flavors share it
   */
  public record Name(String flavor, List<String> levels, List<String> values) {
    public Name {
      levels = List.copyOf(levels);
      values = List.copyOf(values);
    }
  }
}
