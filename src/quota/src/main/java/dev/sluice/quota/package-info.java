/**
 * The quota engine: it decides who is admitted, who has to give way and who waits for what, and
 * says why. It is a library without I/O, clock or threads: objects and the time go in, decisions
 * come out, and the same input gives the same decisions.
 *
 * <p>Start at {@link dev.sluice.quota.QuotaEngine}, the single writer. {@link
 * dev.sluice.quota.Change} is what it is told, in any order; what refers to an object that is not
 * there yet waits for it by name. {@code cycle} answers a {@link
 * dev.sluice.quota.decision.CycleResult} with a {@link dev.sluice.quota.decision.Decision} for each
 * head; the engine has already taken its own decisions into account, also in the status of the
 * workloads. {@link dev.sluice.quota.Snapshot} is the state as an immutable value for readers.
 *
 * <p>A cycle goes through the packages in this order: {@code queue} gives the heads, {@code assign}
 * finds flavors for them on a {@code trial} of their {@code tree}, {@code preempt} finds who has to
 * give way, {@code cycle} decides one head after the other, {@code condition} writes it down.
 */
@NullMarked
package dev.sluice.quota;

import org.jspecify.annotations.NullMarked;
