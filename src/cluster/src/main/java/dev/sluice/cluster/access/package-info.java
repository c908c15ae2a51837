/**
 * Where an API server is and how we log in there: kubeconfig files, exec plugins and the service
 * account of a Pod, read in one place for all commands. Start at {@link
 * dev.sluice.cluster.access.ClusterAccess}.
 */
@NullMarked
package dev.sluice.cluster.access;

import org.jspecify.annotations.NullMarked;
