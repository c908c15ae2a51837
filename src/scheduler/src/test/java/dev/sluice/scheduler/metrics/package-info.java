/** What is measured, read back from a registry. */
@NullMarked
package dev.sluice.scheduler.metrics;

import org.jspecify.annotations.NullMarked;
