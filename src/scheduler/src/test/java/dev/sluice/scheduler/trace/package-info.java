/** What is traced, read back from an exporter in memory. */
@NullMarked
package dev.sluice.scheduler.trace;

import org.jspecify.annotations.NullMarked;
