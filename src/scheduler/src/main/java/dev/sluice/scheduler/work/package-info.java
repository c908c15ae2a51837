/**
 * Work by key: each key is worked on by one thread at a time, at once or later, and again with
 * growing pauses where it failed. Start with {@link dev.sluice.scheduler.work.WorkQueue}.
 */
@NullMarked
package dev.sluice.scheduler.work;

import org.jspecify.annotations.NullMarked;
