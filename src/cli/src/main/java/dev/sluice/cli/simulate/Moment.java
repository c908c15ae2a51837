package dev.sluice.cli.simulate;

import dev.sluice.quota.amount.FlavorResource;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A point on the way: a cycle, or something that happened between two.
 *
 * @param cycle the number of the cycle, from 1; 0 where it is none
 * @param usage what is reserved after it, by ClusterQueue
 */
record Moment(
    Instant time,
    int cycle,
    List<SimulationEvent> events,
    Map<String, Map<FlavorResource, Long>> usage) {
  Moment {
    events = List.copyOf(events);
    usage = Map.copyOf(usage);
  }
}
