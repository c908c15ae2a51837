package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a line.
 *
 * @param all in order
 * @param ofLocalQueues where each LocalQueue is; empty where all are in one group
 */
record LineGroups(List<LineGroup> all, Map<ObjectKey, LineGroup> ofLocalQueues) {
  static LineGroups one(WaitingOrder order, @Nullable QueuePosition sticky) {
    return new LineGroups(List.of(LineGroup.of(0, order.all(), sticky)), Map.of());
  }

  static LineGroups byUsage(
      WaitingOrder order, @Nullable QueuePosition sticky, ToDoubleFunction<ObjectKey> usage) {
    SortedMap<Double, List<ObjectKey>> byUsage = new TreeMap<>();
    for (ObjectKey localQueue : order.byLocalQueue().keys()) {
      double used = usage.applyAsDouble(localQueue);
      byUsage.computeIfAbsent(used, _ -> new ArrayList<>()).add(localQueue);
    }
    if (byUsage.size() <= 1) {
      return one(order, sticky);
    }
    List<LineGroup> groups = new ArrayList<>();
    Map<ObjectKey, LineGroup> ofLocalQueues = new HashMap<>();
    int first = 0;
    for (List<ObjectKey> same : byUsage.values()) {
      LineGroup group = LineGroup.of(first, merged(order, same), sticky);
      groups.add(group);
      same.forEach(localQueue -> ofLocalQueues.put(localQueue, group));
      first += group.size();
    }
    return new LineGroups(groups, ofLocalQueues);
  }

  /** LocalQueues of the same usage; most often there is one. */
  private static PersistentMap<QueuePosition, ObjectKey> merged(
      WaitingOrder order, List<ObjectKey> same) {
    if (same.size() == 1) {
      return order.of(same.getFirst());
    }
    SortedMap<QueuePosition, ObjectKey> all = new TreeMap<>();
    for (ObjectKey localQueue : same) {
      order.of(localQueue).forEach(entry -> all.put(entry.getKey(), localQueue));
    }
    return PersistentMap.ofSorted(
        List.copyOf(all.keySet()), position -> Objects.requireNonNull(all.get(position)));
  }

  /** The position in the line. */
  int rank(QueuePosition position, ObjectKey localQueue) {
    LineGroup group = ofLocalQueues.getOrDefault(localQueue, all.getFirst());
    return group.first() + group.rank(position);
  }
}
