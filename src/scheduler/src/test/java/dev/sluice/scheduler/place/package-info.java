/** Tests of how the places of pods are reported. */
@NullMarked
package dev.sluice.scheduler.place;

import org.jspecify.annotations.NullMarked;
