/**
 * What the ClusterQueues had and used during the last hour. Start at {@link
 * dev.sluice.see.usage.UsageLog}.
 */
@NullMarked
package dev.sluice.see.usage;

import org.jspecify.annotations.NullMarked;
