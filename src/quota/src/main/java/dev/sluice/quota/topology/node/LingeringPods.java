package dev.sluice.quota.topology.node;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Placed pods that use more of a node than their workload holds there: the workload ended or has
 * other places, and the pods are not gone yet. They count like pods that were not placed. For one
 * thread.
 */
final class LingeringPods {
  /** A pod on a node. */
  private static final class Seat {
    private final ObjectKey workload;
    private final String node;
    private final String host;
    private final long[] amounts;

    private Seat(ObjectKey workload, String node, String host, long[] amounts) {
      this.workload = workload;
      this.node = node;
      this.host = host;
      this.amounts = amounts;
    }
  }

  private final ForkableMap<ObjectKey, Seat> seats;
  private final ForkableMap<ObjectKey, PersistentMap<ObjectKey, Seat>> byWorkload;
  private final Set<ObjectKey> changed = new TreeSet<>();

  LingeringPods() {
    this(new ForkableMap<>(), new ForkableMap<>());
  }

  private LingeringPods(
      ForkableMap<ObjectKey, Seat> seats,
      ForkableMap<ObjectKey, PersistentMap<ObjectKey, Seat>> byWorkload) {
    this.seats = seats;
    this.byWorkload = byWorkload;
  }

  /** A copy with the same pods that changes independently. */
  LingeringPods fork() {
    var fork = new LingeringPods(seats.fork(), byWorkload.fork());
    fork.changed.addAll(changed);
    return fork;
  }

  /** The pod of the workload is on that node, to which it was bound as that host. */
  void put(ObjectKey pod, ObjectKey workload, String node, String host, long[] amounts) {
    Seat seat = new Seat(workload, node, host, amounts);
    Seat before = seats.put(pod, seat);
    if (before != null && !before.workload.equals(workload)) {
      leave(pod, before);
    }
    byWorkload.put(workload, of(workload).with(pod, seat));
    changed.add(workload);
  }

  private PersistentMap<ObjectKey, Seat> of(ObjectKey workload) {
    return byWorkload.getOrDefault(workload, PersistentMap.<ObjectKey, Seat>empty());
  }

  /** The pod is no longer on any node. */
  void remove(ObjectKey pod) {
    Seat before = seats.remove(pod);
    if (before != null) {
      leave(pod, before);
    }
  }

  private void leave(ObjectKey pod, Seat seat) {
    PersistentMap<ObjectKey, Seat> rest = of(seat.workload).without(pod);
    if (rest.isEmpty()) {
      byWorkload.remove(seat.workload);
    } else {
      byWorkload.put(seat.workload, rest);
    }
    changed.add(seat.workload);
  }

  /** The workload holds other places. */
  void held(ObjectKey workload) {
    if (byWorkload.containsKey(workload)) {
      changed.add(workload);
    }
  }

  /** The workloads of which something changed since this was asked last. */
  Set<ObjectKey> takeChanged() {
    Set<ObjectKey> taken = Set.copyOf(changed);
    changed.clear();
    return taken;
  }

  /**
   * What the pods of the workload take beyond what it holds, by the name of the node.
   *
   * @param held what it holds on a host, or null for nothing
   */
  Map<String, long[]> beyond(ObjectKey workload, Function<String, long @Nullable []> held) {
    Map<String, long[]> taken = new HashMap<>();
    Map<String, String> nodes = new TreeMap<>();
    for (Seat seat : of(workload).values()) {
      taken.merge(seat.host, seat.amounts, (a, b) -> ResourceNumbers.plus(a, b, 1));
      nodes.put(seat.host, seat.node);
    }
    Map<String, long[]> beyond = new TreeMap<>();
    nodes.forEach(
        (host, node) -> {
          long[] own = held.apply(host);
          long[] all = taken.getOrDefault(host, new long[0]);
          long[] more =
              own == null ? all : ResourceNumbers.positive(ResourceNumbers.plus(all, own, -1));
          if (!ResourceNumbers.isZero(more)) {
            beyond.merge(node, more, (a, b) -> ResourceNumbers.plus(a, b, 1));
          }
        });
    return beyond;
  }
}
