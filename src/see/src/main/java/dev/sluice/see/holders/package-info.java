/**
 * The Workloads that have quota of a queue. Start at {@link dev.sluice.see.holders.QueueHolders}.
 */
@NullMarked
package dev.sluice.see.holders;

import org.jspecify.annotations.NullMarked;
