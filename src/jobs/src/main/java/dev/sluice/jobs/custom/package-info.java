/** Kinds that a configuration file describes. */
@NullMarked
package dev.sluice.jobs.custom;

import org.jspecify.annotations.NullMarked;
