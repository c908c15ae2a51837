package dev.sluice.quota.tree;

import dev.sluice.quota.persistent.PersistentMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The trees of a {@link CohortForest} at one moment; immutable and shared with it. */
public final class Trees {
  private final PersistentMap<NodeName, QuotaTree> byRoot;
  private final PersistentMap<String, NodeName> rootOfQueue;
  private final List<QuotaTree> cut;

  Trees(
      PersistentMap<NodeName, QuotaTree> byRoot,
      PersistentMap<String, NodeName> rootOfQueue,
      List<QuotaTree> cut) {
    this.byRoot = byRoot;
    this.rootOfQueue = rootOfQueue;
    this.cut = List.copyOf(cut);
  }

  /**
   * The cohorts that form circles, each circle cut at one place, with all that is below them. They
   * take no part in scheduling; this is for showing them only.
   */
  public List<QuotaTree> cutCircles() {
    return cut;
  }

  /** Each tree, in the order of its root. */
  public Iterable<QuotaTree> all() {
    return byRoot.values();
  }

  /** The root of the ClusterQueue's tree, or null where it has none. */
  public @Nullable NodeName rootOf(String queue) {
    return rootOfQueue.find(queue);
  }

  /** The tree with that root, or null. */
  public @Nullable QuotaTree tree(NodeName root) {
    return byRoot.find(root);
  }

  /** The tree of the ClusterQueue, or null where it is unknown or in a circle of cohorts. */
  public @Nullable QuotaTree treeOf(String queue) {
    NodeName root = rootOf(queue);
    return root == null ? null : tree(root);
  }
}
