/**
 * One scheduling cycle: in which order heads are served, and what each may still do after those
 * before it (reference: 4.9 to 4.11). Start at {@link dev.sluice.quota.cycle.SchedulingCycle}.
 */
@NullMarked
package dev.sluice.quota.cycle;

import org.jspecify.annotations.NullMarked;
