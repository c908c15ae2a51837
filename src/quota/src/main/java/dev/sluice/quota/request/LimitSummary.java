package dev.sluice.quota.request;

import dev.sluice.api.Quantity;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.LimitRangeItem;
import dev.sluice.api.meta.Copies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * The combined LimitRanges of a namespace for one type: the tightest bounds, and the first of
 * several defaults.
 *
 * @param min the least that must be requested
 * @param max the most that may be allowed
 * @param defaultLimit the default limit
 * @param defaultRequest the default request
 */
public record LimitSummary(
    Map<String, Quantity> min,
    Map<String, Quantity> max,
    Map<String, Quantity> defaultLimit,
    Map<String, Quantity> defaultRequest) {
  /** No bounds, no defaults. */
  public static final LimitSummary NONE = new LimitSummary(Map.of(), Map.of(), Map.of(), Map.of());

  /** Copies what is given. */
  public LimitSummary {
    min = Copies.of(min);
    max = Copies.of(max);
    defaultLimit = Copies.of(defaultLimit);
    defaultRequest = Copies.of(defaultRequest);
  }

  boolean hasDefaults() {
    return !defaultLimit.isEmpty() || !defaultRequest.isEmpty();
  }

  boolean hasBounds() {
    return !min.isEmpty() || !max.isEmpty();
  }

  /** What these LimitRanges say for a type such as {@code Container} or {@code Pod}. */
  static LimitSummary of(List<LimitRange> ranges, String type) {
    LimitSummary summary = NONE;
    for (LimitRange range : ranges) {
      for (LimitRangeItem item : range.spec().limits()) {
        if (item.type().equals(type)) {
          summary = summary.and(item);
        }
      }
    }
    return summary;
  }

  private LimitSummary and(LimitRangeItem item) {
    return new LimitSummary(
        merged(min, item.min(), LimitSummary::larger),
        merged(max, item.max(), LimitSummary::smaller),
        merged(defaultLimit, item.defaultLimit(), (first, _) -> first),
        merged(defaultRequest, item.defaultRequest(), (first, _) -> first));
  }

  static Map<String, Quantity> merged(
      Map<String, Quantity> one, Map<String, Quantity> other, BinaryOperator<Quantity> choice) {
    Map<String, Quantity> merged = new LinkedHashMap<>(one);
    other.forEach((resource, quantity) -> merged.merge(resource, quantity, choice));
    return merged;
  }

  static Quantity smaller(Quantity one, Quantity other) {
    return other.compareTo(one) < 0 ? other : one;
  }

  static Quantity larger(Quantity one, Quantity other) {
    return other.compareTo(one) > 0 ? other : one;
  }
}
