/** The last transitions of all Workloads. Start at {@link dev.sluice.see.log.TransitionLog}. */
@NullMarked
package dev.sluice.see.log;

import org.jspecify.annotations.NullMarked;
