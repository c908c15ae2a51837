package dev.sluice.api.check;

import org.jspecify.annotations.Nullable;

/** A kubeconfig or a ClusterProfile. */
public record ClusterSource(
    @Nullable KubeConfig kubeConfig, @Nullable ClusterProfileReference clusterProfileRef) {}
