package dev.sluice.cli.simulate;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.picture.UsageOverTime;
import dev.sluice.cli.picture.UsageOverTime.Step;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.server.world.ClusterState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that happened.
 *
 * @param start the time at the beginning
 * @param nominal the quota at the end, by ClusterQueue
 * @param end the state at the end
 * @param obstacles what keeps workloads that wait at the end from being looked at
 * @param cycles how many cycles there were
 */
record Timeline(
    Instant start,
    List<Moment> moments,
    Map<String, Map<FlavorResource, Long>> nominal,
    ClusterState end,
    Map<ObjectKey, String> obstacles,
    int cycles) {
  Timeline {
    moments = List.copyOf(moments);
    nominal = new TreeMap<>(nominal);
    obstacles = Map.copyOf(obstacles);
  }

  /** Whether time passed between the first moment and the last. */
  boolean tookTime() {
    return !moments.isEmpty() && !moments.getLast().time().equals(start);
  }

  /** What was used when. */
  UsageOverTime usage() {
    return new UsageOverTime(
        start,
        moments.stream().map(it -> new Step(it.time(), it.cycle(), it.usage())).toList(),
        nominal,
        cycles);
  }

  /** What of a flavor and resource a ClusterQueue uses at the end. */
  long usedAtTheEnd(String queue, FlavorResource pair) {
    return moments.isEmpty()
        ? 0
        : moments.getLast().usage().getOrDefault(queue, Map.of()).getOrDefault(pair, 0L);
  }

  /** How often something happened. */
  long count(SimulationEvent.What what) {
    return moments.stream()
        .flatMap(moment -> moment.events().stream())
        .filter(event -> event.what() == what)
        .count();
  }

  /** How many workloads wait for quota at the end. */
  long waiting() {
    return end.workloads().keySet().stream().filter(key -> end.phase(key).waits()).count();
  }
}
