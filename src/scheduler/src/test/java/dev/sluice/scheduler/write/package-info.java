/** Tests of {@code dev.sluice.scheduler.write}. */
@NullMarked
package dev.sluice.scheduler.write;

import org.jspecify.annotations.NullMarked;
