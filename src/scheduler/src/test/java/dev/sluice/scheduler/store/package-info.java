/** Tests of what is watched. */
@NullMarked
package dev.sluice.scheduler.store;

import org.jspecify.annotations.NullMarked;
