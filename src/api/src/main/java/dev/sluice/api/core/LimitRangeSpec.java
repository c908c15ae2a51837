package dev.sluice.api.core;

import java.util.List;

/** The bounds of a namespace. */
public record LimitRangeSpec(List<LimitRangeItem> limits) {
  public LimitRangeSpec {
    limits = List.copyOf(limits);
  }
}
