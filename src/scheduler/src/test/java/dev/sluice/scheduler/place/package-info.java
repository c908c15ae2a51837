/** Tests of what is told of the places of pods. */
@NullMarked
package dev.sluice.scheduler.place;

import org.jspecify.annotations.NullMarked;
