package dev.sluice.quota.cycle;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves entries that borrow from the smallest subtree first, then by priority, then by age. */
final class ClassicalOrder implements EntryOrder {
  private final Iterator<Entry> sorted;

  ClassicalOrder(List<Entry> entries, EngineConfiguration configuration) {
    List<Entry> inOrder = new ArrayList<>(entries);
    if (inOrder.size() > 1) {
      inOrder.sort(comparator(configuration));
    }
    this.sorted = inOrder.iterator();
  }

  private static Comparator<Entry> comparator(EngineConfiguration configuration) {
    Comparator<Entry> order = Comparator.comparing((Entry e) -> !e.head().workload().holdsQuota());
    if (configuration.on(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS)) {
      order = order.thenComparing(e -> !e.head().preemptor());
    }
    return order
        .thenComparingInt(e -> e.nominated().assignment().borrowingLevel())
        .thenComparing(byAge(configuration));
  }

  /** By priority, where it counts between queues, then by the time that orders queues. */
  static Comparator<Entry> byAge(EngineConfiguration configuration) {
    Comparator<Entry> age =
        Comparator.comparing((Entry e) -> e.head().workload().queueTimestamp())
            .thenComparing(e -> e.head().workload().key());
    return configuration.on(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT)
        ? Comparator.comparingLong((Entry e) -> e.head().workload().priority())
            .reversed()
            .thenComparing(age)
        : age;
  }

  @Override
  public @Nullable Entry next() {
    return sorted.hasNext() ? sorted.next() : null;
  }
}
