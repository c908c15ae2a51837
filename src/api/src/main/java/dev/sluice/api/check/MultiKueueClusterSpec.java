package dev.sluice.api.check;

/** How a worker cluster is reached. */
public record MultiKueueClusterSpec(ClusterSource clusterSource) {}
