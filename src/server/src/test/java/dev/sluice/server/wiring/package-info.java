/** Tests of the command schedule. */
@NullMarked
package dev.sluice.server.wiring;

import org.jspecify.annotations.NullMarked;
