package dev.sluice.api.pod;

import dev.sluice.api.Quantity;
import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.meta.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a pod that decisions on quota and placement read. */
public record PodSpec(
    List<Container> containers,
    List<Container> initContainers,
    @Nullable ResourceRequirements resources,
    Map<String, Quantity> overhead,
    @Nullable String runtimeClassName,
    Map<String, String> nodeSelector,
    @Nullable Affinity affinity,
    List<Toleration> tolerations,
    List<TopologySpreadConstraint> topologySpreadConstraints,
    @Nullable String priorityClassName,
    @Nullable Integer priority,
    @Nullable String schedulerName,
    @Nullable String nodeName,
    List<PodSchedulingGate> schedulingGates,
    List<PodResourceClaim> resourceClaims) {
  public PodSpec {
    containers = List.copyOf(containers);
    initContainers = List.copyOf(initContainers);
    overhead = Copies.of(overhead);
    nodeSelector = Copies.of(nodeSelector);
    tolerations = List.copyOf(tolerations);
    topologySpreadConstraints = List.copyOf(topologySpreadConstraints);
    schedulingGates = List.copyOf(schedulingGates);
    resourceClaims = List.copyOf(resourceClaims);
  }
}
