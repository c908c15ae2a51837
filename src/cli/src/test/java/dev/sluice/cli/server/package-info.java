/** Tests of what commands that serve have in common. */
@NullMarked
package dev.sluice.cli.server;

import org.jspecify.annotations.NullMarked;
