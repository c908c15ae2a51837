/**
 * Pods that cannot end, for their node is out of reach. {@link
 * dev.sluice.scheduler.recovery.LostPod} is pure and says when one may be deleted by force; {@link
 * dev.sluice.scheduler.recovery.FailureRecoveryController} does it.
 */
@NullMarked
package dev.sluice.scheduler.recovery;

import org.jspecify.annotations.NullMarked;
