/**
 * Who has to give way: the classical search and the one by fair shares (reference: 5). Start at
 * {@link dev.sluice.quota.preempt.TargetSearch}.
 */
@NullMarked
package dev.sluice.quota.preempt;

import org.jspecify.annotations.NullMarked;
