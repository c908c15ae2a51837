/** The controller of the variants that concurrent admission splits Workloads into. */
@NullMarked
package dev.sluice.scheduler.variant;

import org.jspecify.annotations.NullMarked;
