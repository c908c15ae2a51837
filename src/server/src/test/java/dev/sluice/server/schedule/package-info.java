/** Tests of the command schedule. */
@NullMarked
package dev.sluice.server.schedule;

import org.jspecify.annotations.NullMarked;
