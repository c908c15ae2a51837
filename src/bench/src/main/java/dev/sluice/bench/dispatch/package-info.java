/** Copies of Workloads to a worker cluster of MultiKueue, beside creates by a plain client. */
@NullMarked
package dev.sluice.bench.dispatch;

import org.jspecify.annotations.NullMarked;
