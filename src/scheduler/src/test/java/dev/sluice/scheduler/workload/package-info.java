/** Tests of {@code dev.sluice.scheduler.workload}. */
@NullMarked
package dev.sluice.scheduler.workload;

import org.jspecify.annotations.NullMarked;
