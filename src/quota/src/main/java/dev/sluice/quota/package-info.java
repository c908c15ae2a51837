/**
 * The quota engine: it decides which workloads are admitted, preempted or pending, and why. It is a
 * library without I/O, clock or threads: objects and the time go in, decisions come out, and the
 * same input gives the same decisions.
 *
 * <p>Start at {@link dev.sluice.quota.QuotaEngine}, the single writer. {@link
 * dev.sluice.quota.Change} is its input, in any order; an object may refer to another that does not
 * exist yet. {@code cycle} returns a {@link dev.sluice.quota.decision.CycleResult} with a {@link
 * dev.sluice.quota.decision.Decision} for each head; the engine has already taken its own decisions
 * into account, also in the status of the workloads. {@link dev.sluice.quota.Snapshot} is the state
 * as an immutable value for readers.
 *
 * <p>A cycle goes through the packages in this order: {@code queue} gives the heads, {@code assign}
 * finds flavors for them on a {@code trial} of their {@code tree}, {@code preempt} finds the
 * victims, {@code cycle} decides one head after the other, {@code condition} writes the conditions.
 */
@NullMarked
package dev.sluice.quota;

import org.jspecify.annotations.NullMarked;
