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

  /** A builder with all that this one has. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Builds a pod from another one; what is not set stays as it was there. For one thread. */
  public static final class Builder {
    private List<Container> containers;
    private List<Container> initContainers;
    private @Nullable ResourceRequirements resources;
    private Map<String, Quantity> overhead;
    private @Nullable String runtimeClassName;
    private Map<String, String> nodeSelector;
    private @Nullable Affinity affinity;
    private List<Toleration> tolerations;
    private List<TopologySpreadConstraint> topologySpreadConstraints;
    private @Nullable String priorityClassName;
    private @Nullable Integer priority;
    private @Nullable String schedulerName;
    private @Nullable String nodeName;
    private List<PodSchedulingGate> schedulingGates;
    private List<PodResourceClaim> resourceClaims;

    private Builder(PodSpec from) {
      this.containers = from.containers;
      this.initContainers = from.initContainers;
      this.resources = from.resources;
      this.overhead = from.overhead;
      this.runtimeClassName = from.runtimeClassName;
      this.nodeSelector = from.nodeSelector;
      this.affinity = from.affinity;
      this.tolerations = from.tolerations;
      this.topologySpreadConstraints = from.topologySpreadConstraints;
      this.priorityClassName = from.priorityClassName;
      this.priority = from.priority;
      this.schedulerName = from.schedulerName;
      this.nodeName = from.nodeName;
      this.schedulingGates = from.schedulingGates;
      this.resourceClaims = from.resourceClaims;
    }

    public Builder containers(List<Container> value) {
      this.containers = value;
      return this;
    }

    public Builder initContainers(List<Container> value) {
      this.initContainers = value;
      return this;
    }

    public Builder resources(@Nullable ResourceRequirements value) {
      this.resources = value;
      return this;
    }

    public Builder overhead(Map<String, Quantity> value) {
      this.overhead = value;
      return this;
    }

    public Builder runtimeClassName(@Nullable String value) {
      this.runtimeClassName = value;
      return this;
    }

    public Builder nodeSelector(Map<String, String> value) {
      this.nodeSelector = value;
      return this;
    }

    public Builder affinity(@Nullable Affinity value) {
      this.affinity = value;
      return this;
    }

    public Builder tolerations(List<Toleration> value) {
      this.tolerations = value;
      return this;
    }

    public Builder topologySpreadConstraints(List<TopologySpreadConstraint> value) {
      this.topologySpreadConstraints = value;
      return this;
    }

    public Builder priorityClassName(@Nullable String value) {
      this.priorityClassName = value;
      return this;
    }

    public Builder priority(@Nullable Integer value) {
      this.priority = value;
      return this;
    }

    public Builder schedulerName(@Nullable String value) {
      this.schedulerName = value;
      return this;
    }

    public Builder nodeName(@Nullable String value) {
      this.nodeName = value;
      return this;
    }

    public Builder schedulingGates(List<PodSchedulingGate> value) {
      this.schedulingGates = value;
      return this;
    }

    public Builder resourceClaims(List<PodResourceClaim> value) {
      this.resourceClaims = value;
      return this;
    }

    public PodSpec build() {
      return new PodSpec(
          containers,
          initContainers,
          resources,
          overhead,
          runtimeClassName,
          nodeSelector,
          affinity,
          tolerations,
          topologySpreadConstraints,
          priorityClassName,
          priority,
          schedulerName,
          nodeName,
          schedulingGates,
          resourceClaims);
    }
  }
}
