/**
 * How long Workloads run, estimated from those that ran before. Start at {@link
 * dev.sluice.see.runtimes.RunTimes}.
 */
@NullMarked
package dev.sluice.see.runtimes;

import org.jspecify.annotations.NullMarked;
