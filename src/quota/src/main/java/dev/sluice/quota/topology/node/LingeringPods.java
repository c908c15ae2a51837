package dev.sluice.quota.topology.node;

import dev.sluice.api.meta.ObjectKey;
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

  private final Map<ObjectKey, Seat> seats = new HashMap<>();
  private final Map<ObjectKey, Map<ObjectKey, Seat>> byWorkload = new HashMap<>();
  private final Set<ObjectKey> changed = new TreeSet<>();

  /** The pod of the workload is on that node, to which it was bound as that host. */
  void put(ObjectKey pod, ObjectKey workload, String node, String host, long[] amounts) {
    Seat seat = new Seat(workload, node, host, amounts);
    Seat before = seats.put(pod, seat);
    if (before != null && !before.workload.equals(workload)) {
      leave(pod, before);
    }
    byWorkload.computeIfAbsent(workload, _ -> new HashMap<>()).put(pod, seat);
    changed.add(workload);
  }

  /** The pod is no longer on any node. */
  void remove(ObjectKey pod) {
    Seat before = seats.remove(pod);
    if (before != null) {
      leave(pod, before);
    }
  }

  private void leave(ObjectKey pod, Seat seat) {
    Map<ObjectKey, Seat> own = byWorkload.get(seat.workload);
    if (own != null && own.remove(pod) != null && own.isEmpty()) {
      byWorkload.remove(seat.workload);
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
    for (Seat seat : byWorkload.getOrDefault(workload, Map.of()).values()) {
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
