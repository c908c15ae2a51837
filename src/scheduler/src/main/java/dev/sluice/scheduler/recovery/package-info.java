/**
 * Pods that cannot end because their node is unreachable. {@link
 * dev.sluice.scheduler.recovery.LostPod} is pure and decides when one may be deleted by force;
 * {@link dev.sluice.scheduler.recovery.FailureRecoveryController} does it.
 */
@NullMarked
package dev.sluice.scheduler.recovery;

import org.jspecify.annotations.NullMarked;
