/**
 * MultiKueue: Workloads of this cluster, the manager, that run on other clusters, the workers. What
 * has to be so on a worker follows from objects alone, the manager's and the worker's, at any
 * moment.
 */
@NullMarked
package dev.sluice.multicluster;

import org.jspecify.annotations.NullMarked;
