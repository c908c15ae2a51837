/**
 * How fast the webhook server starts and how much memory it holds, as a process of its own beside a
 * real API server. Start at {@link dev.sluice.bench.start.StartRun}.
 */
@NullMarked
package dev.sluice.bench.start;

import org.jspecify.annotations.NullMarked;
