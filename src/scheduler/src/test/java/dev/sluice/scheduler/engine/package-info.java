/** Tests of how changes reach the engine. */
@NullMarked
package dev.sluice.scheduler.engine;

import org.jspecify.annotations.NullMarked;
