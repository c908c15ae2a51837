/**
 * Controllers and their work queues: each key is worked on by one thread at a time, at once or
 * later, and is retried with growing pauses where the work failed. Start with {@link
 * dev.sluice.scheduler.work.Controller} and {@link dev.sluice.scheduler.work.WorkQueue}.
 */
@NullMarked
package dev.sluice.scheduler.work;

import org.jspecify.annotations.NullMarked;
