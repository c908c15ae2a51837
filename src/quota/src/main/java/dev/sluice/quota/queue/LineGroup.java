package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Workloads in order.
 *
 * @param first how many of the line are before them
 * @param sticky the one that goes before all others, one of them; or null
 */
record LineGroup(
    int first, PersistentMap<QueuePosition, ObjectKey> members, @Nullable QueuePosition sticky) {
  static LineGroup of(
      int first, PersistentMap<QueuePosition, ObjectKey> members, @Nullable QueuePosition sticky) {
    boolean isOurs = sticky != null && members.containsKey(sticky);
    return new LineGroup(first, members, isOurs ? sticky : null);
  }

  int size() {
    return members.size();
  }

  int rank(QueuePosition position) {
    int rank = members.rank(position);
    if (sticky == null) {
      return rank;
    }
    int bySticky = sticky.compareTo(position);
    return bySticky == 0 ? 0 : bySticky > 0 ? rank + 1 : rank;
  }

  /** Adds workloads after the first ones, until there are enough in all. */
  void addTo(List<Map.Entry<QueuePosition, ObjectKey>> page, int leftOut, int enough) {
    int begin = leftOut;
    if (sticky != null) {
      if (leftOut == 0 && page.size() < enough) {
        page.add(Map.entry(sticky, queueOf(sticky)));
      }
      int own = members.rank(sticky);
      begin = leftOut > own ? leftOut : Math.max(0, leftOut - 1);
    }
    Iterator<Map.Entry<QueuePosition, ObjectKey>> rest = members.iterator(begin);
    while (page.size() < enough && rest.hasNext()) {
      Map.Entry<QueuePosition, ObjectKey> next = rest.next();
      if (!next.getKey().equals(sticky)) {
        page.add(next);
      }
    }
  }

  private ObjectKey queueOf(QueuePosition position) {
    return Objects.requireNonNull(members.find(position));
  }
}
