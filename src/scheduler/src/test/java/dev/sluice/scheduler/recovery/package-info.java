/** Pods on nodes that are out of reach. */
@NullMarked
package dev.sluice.scheduler.recovery;

import org.jspecify.annotations.NullMarked;
