/**
 * Preemption: the classical search and the search with fair sharing. Start at {@link
 * dev.sluice.quota.preempt.TargetSearch}.
 */
@NullMarked
package dev.sluice.quota.preempt;

import org.jspecify.annotations.NullMarked;
