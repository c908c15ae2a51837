/**
 * The command explain: why a workload waits, and what would let it in. {@link
 * dev.sluice.see.explain} finds that out; {@code OtherClusters} says how the workload is elsewhere.
 */
@NullMarked
package dev.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
