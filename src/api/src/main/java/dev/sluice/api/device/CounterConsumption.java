package dev.sluice.api.device;

import dev.sluice.api.meta.Copies;
import java.util.Map;

/**
 * What a device takes of one set of counters.
 *
 * @param counters the amounts, by the name of the counter
 */
public record CounterConsumption(String counterSet, Map<String, Counter> counters) {
  public CounterConsumption {
    counters = Copies.of(counters);
  }
}
