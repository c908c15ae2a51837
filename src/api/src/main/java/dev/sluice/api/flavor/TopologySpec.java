package dev.sluice.api.flavor;

import java.util.List;

/** The levels of a topology, widest first. */
public record TopologySpec(List<TopologyLevel> levels) {
  public TopologySpec {
    levels = List.copyOf(levels);
  }
}
