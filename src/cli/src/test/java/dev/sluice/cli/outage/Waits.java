package dev.sluice.cli.outage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How long Workloads waited for quota, and how much of that was not the fault of others: the time
 * that passed before a Workload got quota although it was there and the one before it had gone.
 */
final class Waits {
  private final List<Long> waits = new ArrayList<>();
  private final List<Long> handOvers = new ArrayList<>();

  /** Reads them from a history of queues in each of which one holds quota at a time. */
  static Waits in(List<Auditor.Seen> history) {
    Waits waits = new Waits();
    Map<String, Long> created = new HashMap<>();
    Map<String, Long> released = new HashMap<>();
    Map<String, String> holding = new HashMap<>();
    Set<String> had = new HashSet<>();
    for (Auditor.Seen seen : history) {
      if (seen.revision() instanceof Revision.OfWorkload workload) {
        created.putIfAbsent(workload.uid(), seen.nanos());
        String before = holding.getOrDefault(workload.uid(), "");
        holding.put(workload.uid(), workload.queue());
        if (!before.isEmpty() && workload.queue().isEmpty()) {
          released.put(before, seen.nanos());
        } else if (before.isEmpty() && !workload.queue().isEmpty() && had.add(workload.uid())) {
          long since = created.get(workload.uid());
          waits.waits.add(seen.nanos() - since);
          long free = Math.max(since, released.getOrDefault(workload.queue(), since));
          waits.handOvers.add(seen.nanos() - free);
        }
      }
    }
    waits.waits.sort(null);
    waits.handOvers.sort(null);
    return waits;
  }

  private static double seconds(List<Long> sorted, double part) {
    return sorted.isEmpty()
        ? 0
        : sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size()))) / 1e9;
  }

  /** The time that 99 of 100 did not exceed between quota being free and being given. */
  double handOverP99() {
    return seconds(handOvers, 0.99);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d admissions; waited p50 %.1f s, p99 %.1f s, at most %.1f s; free quota was given within"
            + " p50 %.2f s, p99 %.2f s, at most %.2f s",
        waits.size(),
        seconds(waits, 0.5),
        seconds(waits, 0.99),
        seconds(waits, 1),
        seconds(handOvers, 0.5),
        seconds(handOvers, 0.99),
        seconds(handOvers, 1));
  }
}
