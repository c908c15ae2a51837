package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * All workloads that wait in one ClusterQueue, pending or parked, in the one order in which cycles
 * serve them: where LocalQueues share fairly, the lower usage of the LocalQueue first; then the
 * workload for which others are evicted; then by {@link QueuePosition}. Immutable, for any thread.
 */
// A line is one group of workloads for each usage that a LocalQueue has: one group where they do
// not
// share fairly. A group is a tree that knows how many are before a workload, so a page costs its
// length and O(log n) for each LocalQueue that has a workload on it.
public final class WaitingLine {
  /** A line without workloads. */
  public static final WaitingLine EMPTY =
      new WaitingLine(
          PendingQueue.EMPTY, _ -> null, WaitingOrder.EMPTY, Groups.one(WaitingOrder.EMPTY, null));

  /**
   * A workload in the line; positions start at 0.
   *
   * @param inLocalQueue the position among the workloads of its LocalQueue
   * @param parked whether it waits for an event before a cycle considers it
   */
  public record Place(
      WorkloadState workload, int inClusterQueue, int inLocalQueue, boolean parked) {}

  /**
   * Workloads in order.
   *
   * @param first how many of the line are before them
   * @param sticky the one that goes before all others, one of them; or null
   */
  private record Group(
      int first, PersistentMap<QueuePosition, ObjectKey> members, @Nullable QueuePosition sticky) {
    static Group of(
        int first,
        PersistentMap<QueuePosition, ObjectKey> members,
        @Nullable QueuePosition sticky) {
      boolean isOurs = sticky != null && members.containsKey(sticky);
      return new Group(first, members, isOurs ? sticky : null);
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

  /**
   * The groups of a line.
   *
   * @param all in order
   * @param ofLocalQueues where each LocalQueue is; empty where all are in one group
   */
  private record Groups(List<Group> all, Map<ObjectKey, Group> ofLocalQueues) {
    static Groups one(WaitingOrder order, @Nullable QueuePosition sticky) {
      return new Groups(List.of(Group.of(0, order.all(), sticky)), Map.of());
    }

    static Groups byUsage(
        WaitingOrder order, @Nullable QueuePosition sticky, ToDoubleFunction<ObjectKey> usage) {
      SortedMap<Double, List<ObjectKey>> byUsage = new TreeMap<>();
      for (ObjectKey localQueue : order.byLocalQueue().keys()) {
        double used = usage.applyAsDouble(localQueue);
        byUsage.computeIfAbsent(used, _ -> new ArrayList<>()).add(localQueue);
      }
      if (byUsage.size() <= 1) {
        return one(order, sticky);
      }
      List<Group> groups = new ArrayList<>();
      Map<ObjectKey, Group> ofLocalQueues = new HashMap<>();
      int first = 0;
      for (List<ObjectKey> same : byUsage.values()) {
        Group group = Group.of(first, merged(order, same), sticky);
        groups.add(group);
        same.forEach(localQueue -> ofLocalQueues.put(localQueue, group));
        first += group.size();
      }
      return new Groups(groups, ofLocalQueues);
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
      Group group = ofLocalQueues.getOrDefault(localQueue, all.getFirst());
      return group.first() + group.rank(position);
    }
  }

  private final PendingQueue waiting;
  private final Function<ObjectKey, @Nullable WorkloadState> workloads;
  private final WaitingOrder order;
  private final Groups groups;

  private WaitingLine(
      PendingQueue waiting,
      Function<ObjectKey, @Nullable WorkloadState> workloads,
      WaitingOrder order,
      Groups groups) {
    this.waiting = waiting;
    this.workloads = workloads;
    this.order = order;
    this.groups = groups;
  }

  /**
   * The line of that queue.
   *
   * @param orders has the order as it was before, and has this one then
   * @param workloads finds each that waits there, for as long as the line is used
   * @param usage of a LocalQueue; null where LocalQueues do not share fairly
   */
  public static WaitingLine of(
      String clusterQueue,
      PendingQueue waiting,
      WaitingOrders orders,
      Function<ObjectKey, @Nullable WorkloadState> workloads,
      @Nullable ToDoubleFunction<ObjectKey> usage) {
    WaitingOrder order =
        orders.update(
            clusterQueue,
            waiting.membersWithPositions(),
            key -> {
              WorkloadState workload = workloads.apply(key);
              return workload == null ? null : workload.localQueue();
            });
    QueuePosition sticky = waiting.sticky();
    Groups groups =
        usage == null ? Groups.one(order, sticky) : Groups.byUsage(order, sticky, usage);
    return new WaitingLine(waiting, workloads, order, groups);
  }

  /** How many there are. */
  public int size() {
    return order.all().size();
  }

  /** How many there are of the LocalQueue. */
  public int size(ObjectKey localQueue) {
    return order.of(localQueue).size();
  }

  /** All, in order. */
  public List<Place> places() {
    return page(0, size());
  }

  /** Those of the LocalQueue, in order. */
  public List<Place> places(ObjectKey localQueue) {
    return page(localQueue, 0, size(localQueue));
  }

  /**
   * A part of the line.
   *
   * @param offset how many are left out; less than 0 is none
   * @param limit how many there are at most; less than 0 is none
   */
  public List<Place> page(int offset, int limit) {
    int leftOut = Math.max(0, offset);
    List<Map.Entry<QueuePosition, ObjectKey>> page = new ArrayList<>();
    for (Group group : groups.all()) {
      int ofGroup = Math.max(0, leftOut - group.first());
      if (ofGroup < group.size()) {
        group.addTo(page, ofGroup, limit);
      }
    }
    Map<ObjectKey, Integer> nextOf = new HashMap<>();
    List<Place> places = new ArrayList<>(page.size());
    for (var entry : page) {
      QueuePosition position = entry.getKey();
      ObjectKey localQueue = entry.getValue();
      Integer next = nextOf.get(localQueue);
      int inLocalQueue = next == null ? ofLocalQueue(localQueue).rank(position) : next;
      nextOf.put(localQueue, inLocalQueue + 1);
      add(places, position, leftOut + places.size(), inLocalQueue);
    }
    return places;
  }

  /** A part of those of the LocalQueue; as {@link #page(int, int)}. */
  public List<Place> page(ObjectKey localQueue, int offset, int limit) {
    int leftOut = Math.max(0, offset);
    Group own = ofLocalQueue(localQueue);
    List<Map.Entry<QueuePosition, ObjectKey>> page = new ArrayList<>();
    if (leftOut < own.size()) {
      own.addTo(page, leftOut, limit);
    }
    List<Place> places = new ArrayList<>(page.size());
    for (var entry : page) {
      QueuePosition position = entry.getKey();
      add(places, position, groups.rank(position, localQueue), leftOut + places.size());
    }
    return places;
  }

  private Group ofLocalQueue(ObjectKey localQueue) {
    return Group.of(0, order.of(localQueue), waiting.sticky());
  }

  private void add(
      List<Place> places, QueuePosition position, int inClusterQueue, int inLocalQueue) {
    WorkloadState workload = workloads.apply(position.workload());
    if (workload != null) { // always, unless the state is unsound
      boolean parked = waiting.isParked(workload.key());
      places.add(new Place(workload, inClusterQueue, inLocalQueue, parked));
    }
  }

  /** Where the workload is, or null. */
  public @Nullable Place find(ObjectKey workload) {
    PendingQueue.Member member = waiting.member(workload);
    ObjectKey localQueue = member == null ? null : order.all().find(member.position());
    if (member == null || localQueue == null) {
      return null;
    }
    QueuePosition position = member.position();
    List<Place> found = new ArrayList<>();
    add(
        found,
        position,
        groups.rank(position, localQueue),
        ofLocalQueue(localQueue).rank(position));
    return found.isEmpty() ? null : found.getFirst();
  }
}
