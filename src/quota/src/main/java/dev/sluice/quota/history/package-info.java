/**
 * What LocalQueues used lately, for fair sharing among the LocalQueues of one ClusterQueue. Usage
 * decays with a half-life. Start at {@link dev.sluice.quota.history.UsageHistory}.
 */
@NullMarked
package dev.sluice.quota.history;

import org.jspecify.annotations.NullMarked;
