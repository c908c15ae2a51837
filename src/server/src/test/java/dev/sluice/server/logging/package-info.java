/** Tests of the log of the program. */
@NullMarked
package dev.sluice.server.logging;

import org.jspecify.annotations.NullMarked;
