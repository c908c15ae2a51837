package dev.sluice.see.shadow;

import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.world.WorkloadState;
import java.util.List;

/**
 * The deviations of {@code docs/reference/differences.md} that can be told from a state. Each has
 * an id there.
 */
public final class KnownDeviations {
  /** A ClusterQueue with a topology level that no node has is inactive. */
  public static final String LEVEL_WITHOUT_NODES = "topology-level-without-nodes";

  /** The last slice of a PodSet may have fewer pods. */
  public static final String LAST_SLICE = "topology-last-slice";

  /** Whether pods fit is found for all PodSets of a Workload together. */
  public static final String ALL_POD_SETS = "topology-all-pod-sets";

  private KnownDeviations() {}

  /** Every id. */
  public static List<String> all() {
    return List.of(LEVEL_WITHOUT_NODES, LAST_SLICE, ALL_POD_SETS);
  }

  /** The id of the deviation that explains the difference; empty for none. */
  static String of(Verdict verdict, Snapshot snapshot, WorkloadState workload) {
    boolean isPlaced = verdict == Verdict.OTHER_PLACE;
    List<PodSet> podSets = workload.workload().spec().podSets();
    if (verdict == Verdict.LATER && lacksLevel(snapshot, workload)) {
      return LEVEL_WITHOUT_NODES;
    }
    if ((isPlaced || verdict == Verdict.SOONER)
        && podSets.stream().anyMatch(KnownDeviations::hasShortSlice)) {
      return LAST_SLICE;
    }
    boolean isPlacedTogether =
        podSets.stream().filter(it -> it.topologyRequest() != null).count() > 1;
    return isPlaced && isPlacedTogether ? ALL_POD_SETS : "";
  }

  private static boolean lacksLevel(Snapshot snapshot, WorkloadState workload) {
    String queue = snapshot.queueFor(workload);
    List<Inactivity> reasons = queue == null ? List.of() : snapshot.inactivity(queue);
    return !reasons.isEmpty()
        && reasons.stream().allMatch(it -> it.reason() == Inactivity.Reason.TOPOLOGY_NOT_FOUND);
  }

  private static boolean hasShortSlice(PodSet podSet) {
    TopologyRequest request = podSet.topologyRequest();
    Integer size = request == null ? null : request.podSetSliceSize();
    return size != null && size > 0 && podSet.count() % size != 0;
  }
}
