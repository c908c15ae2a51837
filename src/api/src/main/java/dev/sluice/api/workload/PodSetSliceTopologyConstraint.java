package dev.sluice.api.workload;

/** So many pods of a set stay within one domain of this level. */
public record PodSetSliceTopologyConstraint(String topology, int size) {}
