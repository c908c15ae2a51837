/**
 * One scheduling cycle: {@link dev.sluice.quota.cycle.HeadNominator} finds the heads, {@link
 * dev.sluice.quota.cycle.SchedulingCycle} decides one head after the other, {@link
 * dev.sluice.quota.cycle.DecisionApplier} applies the decisions.
 */
@NullMarked
package dev.sluice.quota.cycle;

import org.jspecify.annotations.NullMarked;
