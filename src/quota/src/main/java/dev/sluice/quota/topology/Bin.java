package dev.sluice.quota.topology;

import java.util.List;

/**
 * What is taken by our pods in one place, be it a node, which several flavors may share, or a
 * larger domain of one flavor. Compared by identity; what is taken of it is kept by a {@link Room}.
 */
final class Bin {
  private final Name name;

  Bin(Name name) {
    this.name = name;
  }

  Name name() {
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
  record Name(String flavor, List<String> levels, List<String> values) {
    Name {
      levels = List.copyOf(levels);
      values = List.copyOf(values);
    }
  }
}
