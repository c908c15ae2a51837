/**
 * What LocalQueues have used lately, for fair sharing between those of one ClusterQueue (reference:
 * 5.8). Start at {@link dev.sluice.quota.history.UsageHistory}.
 */
@NullMarked
package dev.sluice.quota.history;

import org.jspecify.annotations.NullMarked;
