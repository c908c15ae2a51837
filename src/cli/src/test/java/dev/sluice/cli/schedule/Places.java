package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import java.util.HashMap;
import java.util.Map;

/** Reads where Workloads and Pods are placed. */
final class Places {
  private static final String GATE = "kueue.x-k8s.io/topology";
  private static final String HOSTNAME = "kubernetes.io/hostname";

  private Places() {}

  static String host(JsonNode pod) {
    return isGated(pod) ? "" : pod.at("/spec/nodeSelector").path(HOSTNAME).asText();
  }

  static boolean isGated(JsonNode pod) {
    for (JsonNode gate : pod.at("/spec/schedulingGates")) {
      if (gate.path("name").asText().equals(GATE)) {
        return true;
      }
    }
    return false;
  }

  /** How many pods of the Workload are to be on each node; empty where it has no places. */
  static Map<String, Integer> places(JsonNode workload) {
    Map<String, Integer> places = new HashMap<>();
    for (JsonNode assignment : workload.at("/status/admission/podSetAssignments")) {
      JsonNode topology = assignment.path("topologyAssignment");
      if (topology.isObject()) {
        PodPlacement placement =
            AssignmentCodec.decode(HubObjects.read(TopologyAssignment.class, topology));
        placement
            .domains()
            .forEach(
                domain -> places.merge(domain.values().getLast(), domain.pods(), Integer::sum));
      }
    }
    return places;
  }
}
