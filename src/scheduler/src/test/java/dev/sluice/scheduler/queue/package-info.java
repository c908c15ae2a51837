/** Tests of {@code dev.sluice.scheduler.queue}. */
@NullMarked
package dev.sluice.scheduler.queue;

import org.jspecify.annotations.NullMarked;
