package dev.sluice.quota.assign;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.WorkloadState;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the search for flavors of each pending workload, and which changes make it
 * obsolete. For one thread.
 */
public final class FlavorSearchState {
  private final EngineConfiguration configuration;
  private final CohortForest forest;
  // generations grow with every change of anything, so that one of a tree concerns all in it
  private final ForkableMap<String, Long> generations;
  private final ForkableMap<NodeName, Long> ofTrees;
  private final ForkableMap<ObjectKey, LastAssignment> progress;
  private long changes;
  private long cycles;

  public FlavorSearchState(EngineConfiguration configuration, CohortForest forest) {
    this.configuration = configuration;
    this.forest = forest;
    this.generations = new ForkableMap<>();
    this.ofTrees = new ForkableMap<>();
    this.progress = new ForkableMap<>();
  }

  private FlavorSearchState(FlavorSearchState other, CohortForest forest) {
    this.configuration = other.configuration;
    this.forest = forest;
    this.generations = other.generations.fork();
    this.ofTrees = other.ofTrees.fork();
    this.progress = other.progress.fork();
    this.changes = other.changes;
    this.cycles = other.cycles;
  }

  /** The same progress in that forest, which is a fork of this one's. */
  public FlavorSearchState fork(CohortForest fork) {
    return new FlavorSearchState(this, fork);
  }

  /** Whether there was a cycle. */
  public boolean hasBegun() {
    return cycles > 0;
  }

  public void nextCycle() {
    cycles++;
  }

  /** Quota of the queue was released: its workloads search again from the first flavor. */
  public void advance(String queue) {
    generations.put(queue, ++changes);
  }

  /**
   * The tree with that root changed: the workloads of all its queues search again from the first
   * flavor.
   */
  public void advance(NodeName root) {
    ofTrees.put(root, ++changes);
  }

  private long generation(String queue) {
    NodeName root = forest.rootOf(queue);
    long own = generations.getOrDefault(queue, 0L);
    return root == null ? own : Math.max(own, ofTrees.getOrDefault(root, 0L));
  }

  public void forget(ObjectKey workload) {
    progress.remove(workload);
  }

  /** Where the next search continues; null where it starts over. */
  public @Nullable LastAssignment of(WorkloadState workload, String queue) {
    LastAssignment last = progress.get(workload.key());
    return last != null && last.holds(workload.shape(), generation(queue), cycles, configuration)
        ? last
        : null;
  }

  /**
   * Stores the progress of the search.
   *
   * @param assignment the result of this cycle, or null if there was none
   * @return whether the next search starts elsewhere than this one did
   */
  public boolean remember(WorkloadState workload, String queue, @Nullable Assignment assignment) {
    ObjectKey key = workload.key();
    if (assignment == null || LastAssignment.fromTheStart(assignment)) {
      return progress.remove(key) != null;
    }
    LastAssignment next =
        LastAssignment.of(assignment, generation(queue), cycles, workload.shape());
    LastAssignment last = progress.put(key, next);
    return last == null || !last.tried().equals(next.tried());
  }
}
