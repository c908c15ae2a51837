/** The log of the program: its levels, its lines, and a bound on how many of them there are. */
@NullMarked
package dev.sluice.server.logging;

import org.jspecify.annotations.NullMarked;
