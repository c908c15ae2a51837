/** The hidden command rehearse of the roles. */
@NullMarked
package dev.sluice.server.rehearse;

import org.jspecify.annotations.NullMarked;
