/** Finds and opens the files that a command is given. */
@NullMarked
package dev.sluice.server.manifest;

import org.jspecify.annotations.NullMarked;
