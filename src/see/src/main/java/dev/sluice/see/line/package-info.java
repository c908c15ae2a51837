/**
 * The line of a queue: its pending Workloads in order, each with its reason. Start at {@link
 * dev.sluice.see.line.QueueLine}.
 */
@NullMarked
package dev.sluice.see.line;

import org.jspecify.annotations.NullMarked;
