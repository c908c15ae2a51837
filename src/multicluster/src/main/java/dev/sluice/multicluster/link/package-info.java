/**
 * Links to worker clusters: where a kubeconfig comes from and whether it is accepted, when a
 * connection is tried and when it is lost, and the Active conditions of MultiKueueClusters and
 * AdmissionChecks that tell so. Start with {@link
 * dev.sluice.multicluster.link.MultiKueueClusterController}; {@link
 * dev.sluice.multicluster.link.LinkState} decides and is pure.
 */
@NullMarked
package dev.sluice.multicluster.link;

import org.jspecify.annotations.NullMarked;
