/**
 * The line of a queue: who waits, in which order, and for what reason. Start at {@link
 * dev.sluice.see.line.QueueLine}.
 */
@NullMarked
package dev.sluice.see.line;

import org.jspecify.annotations.NullMarked;
