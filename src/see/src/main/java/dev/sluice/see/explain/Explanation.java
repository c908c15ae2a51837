package dev.sluice.see.explain;

import dev.sluice.api.meta.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a workload is in its state.
 *
 * @param workload the workload
 * @param phase its phase, in one word
 * @param localQueue the name of its LocalQueue; empty if it names none
 * @param clusterQueue the ClusterQueue of that; empty if there is none
 * @param ahead the number of workloads before it in its ClusterQueue; -1 if it is not in the queue
 * @param because a sentence
 * @param shortages the missing quota
 * @param wakeUps the events that requeue it, a sentence each
 * @param remedies single changes that would give it quota now, the smallest first
 */
public record Explanation(
    ObjectKey workload,
    String phase,
    String localQueue,
    String clusterQueue,
    int ahead,
    String because,
    List<Shortage> shortages,
    List<String> wakeUps,
    List<Remedy> remedies) {
  public Explanation {
    shortages = List.copyOf(shortages);
    wakeUps = List.copyOf(wakeUps);
    remedies = List.copyOf(remedies);
  }

  /**
   * Too little of one resource of one flavor.
   *
   * @param free what it could have now
   * @param scarce the node of the tree where it is scarcest; empty if there is too little even when
   *     nothing runs
   * @param levels from the ClusterQueue up to the root
   * @param holders who has most of it, and at last those together whose names are not shown
   */
  public record Shortage(
      String podSet,
      String flavor,
      String resource,
      String requested,
      String free,
      String scarce,
      List<Level> levels,
      List<Holder> holders) {
    public Shortage {
      levels = List.copyOf(levels);
      holders = List.copyOf(holders);
    }
  }

  /** What a node of the tree has. */
  public record Level(String node, String nominal, String used, String free) {}

  /**
   * Who holds some of it.
   *
   * @param workload null for all of those together whose names are not shown
   * @param workloads how many they are
   * @param clusterQueue where it is held; empty for those that are not shown, as priority is 0
   */
  public record Holder(
      @Nullable ObjectKey workload,
      int workloads,
      String clusterQueue,
      long priority,
      String amount) {}

  /**
   * A change that would let it in.
   *
   * @param change what to do
   * @param effect what would happen then
   */
  public record Remedy(String change, String effect) {}
}
