package dev.sluice.quota.request;

import dev.sluice.api.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/** Exact sums of resource lists, as they are before anything is rounded. */
final class Quantities {
  private Quantities() {}

  static Map<String, BigDecimal> of(Map<String, Quantity> list) {
    Map<String, BigDecimal> exact = new TreeMap<>();
    list.forEach((resource, quantity) -> exact.put(resource, quantity.value()));
    return exact;
  }

  /** Adds what is in the second list to the first. */
  static void add(Map<String, BigDecimal> sum, Map<String, BigDecimal> list) {
    list.forEach((resource, quantity) -> sum.merge(resource, quantity, BigDecimal::add));
  }

  /** Raises the first list to what is more in the second. */
  static void raise(Map<String, BigDecimal> most, Map<String, BigDecimal> list) {
    list.forEach((resource, quantity) -> most.merge(resource, quantity, BigDecimal::max));
  }
}
