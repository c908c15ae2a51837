/**
 * What a user sees of the queues, as values: {@link dev.sluice.see.explain} says why a workload
 * waits.
 */
@NullMarked
package dev.sluice.see;

import org.jspecify.annotations.NullMarked;
