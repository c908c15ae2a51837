/** The hidden command rehearse: does what starts usually do, so that the JVM can learn from it. */
@NullMarked
package dev.sluice.cli.rehearse;

import org.jspecify.annotations.NullMarked;
