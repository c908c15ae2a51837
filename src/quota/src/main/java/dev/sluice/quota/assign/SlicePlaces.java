package dev.sluice.quota.assign;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.placement.PlacementRequest;
import dev.sluice.quota.world.WorkloadState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The places of the slice that a head takes over from. Its pods stay there and go on. */
final class SlicePlaces {
  private final WorkloadState slice;
  private final Map<String, PodPlacement> byPodSet = new HashMap<>();

  private SlicePlaces(WorkloadState slice, Admission admission) {
    this.slice = slice;
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      for (PodSet podSet : podSets(slice)) {
        PodPlacement places =
            podSet.name().equals(assignment.name())
                ? AssignmentCodec.held(assignment, podSet)
                : null;
        if (places != null) {
          byPodSet.put(podSet.name(), places);
        }
      }
    }
  }

  /**
   * Those of the head's slice; null where it has none, or its pods are others: then the slice's
   * places are of no use to the head.
   */
  static @Nullable SlicePlaces of(Head head, EngineConfiguration configuration) {
    WorkloadState slice = head.replaced();
    Admission admission = slice == null ? null : slice.admission();
    return slice != null
            && admission != null
            && configuration.on(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS)
            && pods(head.workload()).equals(pods(slice))
        ? new SlicePlaces(slice, admission)
        : null;
  }

  /** What a pod takes, by PodSet. */
  private static Map<String, Object> pods(WorkloadState workload) {
    Map<String, Object> pods = new HashMap<>();
    List<PodSet> podSets = podSets(workload);
    for (int i = 0; i < podSets.size(); i++) {
      pods.put(podSets.get(i).name(), workload.podRequests(i));
    }
    return pods;
  }

  private static List<PodSet> podSets(WorkloadState workload) {
    return workload.workload().spec().podSets();
  }

  ObjectKey key() {
    return slice.key();
  }

  /** The places of the PodSet of that name, or null. */
  @Nullable PodPlacement of(String podSet) {
    return byPodSet.get(podSet);
  }

  /** What is asked for pods that have no place yet: of the PodSet that has most of them. */
  PlacementRequest lacking(PlacementRequest ask) {
    PlacementRequest most = ask.alone(0);
    for (int i = 0; i < ask.podSets().size(); i++) {
      PodPlacement places = of(podSets(ask.workload()).get(ask.podSets().get(i)).name());
      long placed = places == null ? 0 : places.pods();
      int lacks = (int) Math.max(0, ask.counts().get(i) - placed);
      if (i == 0 || lacks > most.counts().getFirst()) {
        most = new PlacementRequest(ask.workload(), List.of(ask.podSets().get(i)), List.of(lacks));
      }
    }
    return most;
  }
}
