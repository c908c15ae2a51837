/**
 * Writes decisions into a Workload's status: conditions with Kueue's types and reasons and messages
 * of our own, admission, counts. No other package writes them. Start at {@link
 * dev.sluice.quota.condition.StatusWriter}.
 */
@NullMarked
package dev.sluice.quota.condition;

import org.jspecify.annotations.NullMarked;
