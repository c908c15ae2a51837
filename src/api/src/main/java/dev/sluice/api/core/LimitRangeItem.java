package dev.sluice.api.core;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import dev.sluice.api.meta.Property;
import java.util.Map;

/** Bounds and defaults for one type of thing, such as Container or Pod. */
public record LimitRangeItem(
    String type,
    Map<String, Quantity> max,
    Map<String, Quantity> min,
    @Property("default") Map<String, Quantity> defaultLimit,
    Map<String, Quantity> defaultRequest,
    Map<String, Quantity> maxLimitRequestRatio) {
  public LimitRangeItem {
    max = Copies.of(max);
    min = Copies.of(min);
    defaultLimit = Copies.of(defaultLimit);
    defaultRequest = Copies.of(defaultRequest);
    maxLimitRequestRatio = Copies.of(maxLimitRequestRatio);
  }
}
