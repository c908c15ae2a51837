package dev.sluice.quota.topology.placement;

import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.quota.world.WorkloadState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PodSets of a workload that are placed together.
 *
 * @param podSets by their index: one, or the two of a group
 * @param counts the pods of each of them
 */
public record PlacementRequest(
    WorkloadState workload, List<Integer> podSets, List<Integer> counts) {
  public PlacementRequest {
    podSets = List.copyOf(podSets);
    counts = List.copyOf(counts);
  }

  /** What is asked for the PodSet at that place of the list by itself. */
  public PlacementRequest alone(int place) {
    return new PlacementRequest(workload, List.of(podSets.get(place)), List.of(counts.get(place)));
  }

  /** The place in the list of the one whose pods are many, or of the first of equals. */
  private int workerPlace() {
    return counts.size() == 2 && counts.get(1) > counts.get(0) ? 1 : 0;
  }

  /** The PodSet whose request decides. */
  public int workers() {
    return podSets.get(workerPlace());
  }

  int workerCount() {
    return counts.get(workerPlace());
  }

  /** The PodSet of the pod that leads, or null. */
  public @Nullable Integer leader() {
    return podSets.size() < 2 ? null : podSets.get(1 - workerPlace());
  }

  PodSet podSet() {
    return workload.workload().spec().podSets().get(workers());
  }

  @Nullable TopologyRequest request() {
    return podSet().topologyRequest();
  }

  /** Why these cannot be placed together, or null. */
  @Nullable String problem() {
    if (podSets.size() > 2) {
      return "group " + name() + " has " + podSets.size() + " PodSets (expected: at most 2)";
    }
    boolean led = podSets.size() == 2;
    return led && counts.get(1 - workerPlace()) != 1
        ? "group " + name() + " has no PodSet with one pod"
        : null;
  }

  private String name() {
    TopologyRequest request = request();
    return request == null ? "" : String.valueOf(request.podSetGroupName());
  }
}
