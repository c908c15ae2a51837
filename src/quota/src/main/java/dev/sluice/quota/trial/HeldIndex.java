package dev.sluice.quota.trial;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The workloads that hold quota in a ClusterQueue, in the {@linkplain Held#compareAsCandidate order
 * of candidates}: sorted once, and not again before one of them changes. Safe for several threads.
 */
public final class HeldIndex {
  private record Kept(Object form, int node, List<Held> inOrder) {}

  // by the holders, which are another map after every change; forgotten with them
  private final Map<PersistentMap<ObjectKey, WorkloadState>, Kept> known =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The holders, which are those of that node's ClusterQueue. */
  public List<Held> inOrder(
      PersistentMap<ObjectKey, WorkloadState> holders, int node, TreeShape shape, Instant now) {
    Kept kept = known.get(holders);
    if (kept == null || kept.node() != node || !kept.form().equals(shape.form())) {
      kept = new Kept(shape.form(), node, sorted(holders.values(), node, shape, now));
      known.put(holders, kept);
    }
    return kept.inOrder();
  }

  static List<Held> sorted(
      Iterable<WorkloadState> holders, int node, TreeShape shape, Instant now) {
    List<Held> sorted = new ArrayList<>();
    holders.forEach(w -> sorted.add(new Held(w, node, shape.vector(w.usage()), now)));
    sorted.sort(Held::compareAsCandidate);
    return List.copyOf(sorted);
  }
}
