/**
 * The heap that the worst texts known take. Start at {@link dev.sluice.bench.worst.WorstTexts} for
 * what they are, and at {@link dev.sluice.bench.worst.SmallestHeap} for how it is measured.
 */
@NullMarked
package dev.sluice.bench.worst;

import org.jspecify.annotations.NullMarked;
