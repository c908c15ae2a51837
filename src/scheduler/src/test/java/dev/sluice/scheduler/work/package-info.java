/** Tests of {@code dev.sluice.scheduler.work}. */
@NullMarked
package dev.sluice.scheduler.work;

import org.jspecify.annotations.NullMarked;
