/** Tests of {@code dev.sluice.scheduler.audit}. */
@NullMarked
package dev.sluice.scheduler.audit;

import org.jspecify.annotations.NullMarked;
