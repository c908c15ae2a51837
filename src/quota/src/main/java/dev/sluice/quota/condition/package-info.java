/**
 * From decisions to what stands in a Workload's status: conditions with Kueue's types and reasons
 * and messages of our own, admission, counts. The only place that writes them. Start at {@link
 * dev.sluice.quota.condition.StatusWriter}.
 */
@NullMarked
package dev.sluice.quota.condition;

import org.jspecify.annotations.NullMarked;
