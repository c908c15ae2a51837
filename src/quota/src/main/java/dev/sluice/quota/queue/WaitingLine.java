package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
          PendingQueue.EMPTY,
          _ -> null,
          WaitingOrder.EMPTY,
          LineGroups.one(WaitingOrder.EMPTY, null));

  /**
   * A workload in the line; positions start at 0.
   *
   * @param inLocalQueue the position among the workloads of its LocalQueue
   * @param parked whether it waits for an event before a cycle considers it
   */
  public record Place(
      WorkloadState workload, int inClusterQueue, int inLocalQueue, boolean parked) {}

  private final PendingQueue waiting;
  private final Function<ObjectKey, @Nullable WorkloadState> workloads;
  private final WaitingOrder order;
  private final LineGroups groups;

  private WaitingLine(
      PendingQueue waiting,
      Function<ObjectKey, @Nullable WorkloadState> workloads,
      WaitingOrder order,
      LineGroups groups) {
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
    LineGroups groups =
        usage == null ? LineGroups.one(order, sticky) : LineGroups.byUsage(order, sticky, usage);
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
    for (LineGroup group : groups.all()) {
      if (page.size() >= limit) {
        break;
      }
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
    LineGroup own = ofLocalQueue(localQueue);
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

  private LineGroup ofLocalQueue(ObjectKey localQueue) {
    return LineGroup.of(0, order.of(localQueue), waiting.sticky());
  }

  private void add(
      List<Place> places, QueuePosition position, int inClusterQueue, int inLocalQueue) {
    Place place = place(position, inClusterQueue, inLocalQueue);
    if (place != null) { // always, unless the state is unsound
      places.add(place);
    }
  }

  private @Nullable Place place(QueuePosition position, int inClusterQueue, int inLocalQueue) {
    WorkloadState workload = workloads.apply(position.workload());
    return workload == null
        ? null
        : new Place(workload, inClusterQueue, inLocalQueue, waiting.isParked(workload.key()));
  }

  /** Where the workload is, or null. */
  public @Nullable Place find(ObjectKey workload) {
    PendingQueue.Member member = waiting.member(workload);
    ObjectKey localQueue = member == null ? null : order.all().find(member.position());
    if (member == null || localQueue == null) {
      return null;
    }
    QueuePosition position = member.position();
    return place(
        position, groups.rank(position, localQueue), ofLocalQueue(localQueue).rank(position));
  }
}
