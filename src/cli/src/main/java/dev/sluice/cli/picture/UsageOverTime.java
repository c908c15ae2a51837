package dev.sluice.cli.picture;

import dev.sluice.quota.amount.FlavorResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What ClusterQueues used when.
 *
 * @param start the time at the beginning
 * @param steps in the order of time
 * @param nominal the quota at the end, by ClusterQueue
 * @param cycles how many cycles there were
 */
public record UsageOverTime(
    Instant start, List<Step> steps, Map<String, Map<FlavorResource, Long>> nominal, int cycles) {
  /**
   * From that time on.
   *
   * @param cycle the number of the cycle, from 1; 0 where it is none
   * @param usage what is reserved, by ClusterQueue
   */
  public record Step(Instant time, int cycle, Map<String, Map<FlavorResource, Long>> usage) {
    public Step {
      usage = Map.copyOf(usage);
    }
  }

  public UsageOverTime {
    steps = List.copyOf(steps);
    nominal = new TreeMap<>(nominal);
  }

  /** Whether time passed between the first step and the last. */
  public boolean tookTime() {
    return !steps.isEmpty() && !steps.getLast().time().equals(start);
  }

  /**
   * Two of them as one, whose queues are called after both.
   *
   * @param name of this one
   * @param otherName of the other
   */
  public UsageOverTime beside(String name, UsageOverTime other, String otherName) {
    var times = new TreeSet<Instant>();
    steps.forEach(it -> times.add(it.time()));
    other.steps.forEach(it -> times.add(it.time()));
    List<Step> both = new ArrayList<>();
    int here = -1;
    int there = -1;
    for (Instant time : times) {
      here = latest(steps, here, time);
      there = latest(other.steps, there, time);
      Map<String, Map<FlavorResource, Long>> usage = new TreeMap<>();
      if (here >= 0) {
        usage.putAll(named(steps.get(here).usage(), name));
      }
      if (there >= 0) {
        usage.putAll(named(other.steps.get(there).usage(), otherName));
      }
      both.add(new Step(time, 0, usage));
    }
    Map<String, Map<FlavorResource, Long>> quotas = named(nominal, name);
    quotas.putAll(named(other.nominal, otherName));
    Instant first = start.isBefore(other.start) ? start : other.start;
    return new UsageOverTime(first, both, quotas, Math.max(cycles, other.cycles));
  }

  private static int latest(List<Step> steps, int from, Instant time) {
    int latest = from;
    while (latest + 1 < steps.size() && !steps.get(latest + 1).time().isAfter(time)) {
      latest++;
    }
    return latest;
  }

  private static Map<String, Map<FlavorResource, Long>> named(
      Map<String, Map<FlavorResource, Long>> byQueue, String name) {
    Map<String, Map<FlavorResource, Long>> named = new TreeMap<>();
    byQueue.forEach((queue, amounts) -> named.put(queue + ", " + name, amounts));
    return named;
  }
}
