/** Tests that throw what nobody expects into the threads of a scheduler. */
@NullMarked
package dev.sluice.scheduler.faults;

import org.jspecify.annotations.NullMarked;
