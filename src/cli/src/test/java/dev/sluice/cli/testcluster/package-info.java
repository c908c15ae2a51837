/**
 * Control planes with Sluice installed, for tests: {@link dev.sluice.cli.testcluster.OwnCluster}
 * for a class of tests alone, {@link dev.sluice.cli.testcluster.NeedsDevCluster} for one that many
 * share. Beside them what tests of several packages write to a cluster and read of it.
 */
@NullMarked
package dev.sluice.cli.testcluster;

import org.jspecify.annotations.NullMarked;
