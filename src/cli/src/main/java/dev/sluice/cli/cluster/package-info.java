/**
 * Calls to the API server of a cluster: JSON text out and in, nothing typed between, so that no
 * field of an object can get lost on the way. Start at {@link dev.sluice.cli.cluster.ClusterFlags},
 * which connects as {@code kubectl} would.
 */
@NullMarked
package dev.sluice.cli.cluster;

import org.jspecify.annotations.NullMarked;
