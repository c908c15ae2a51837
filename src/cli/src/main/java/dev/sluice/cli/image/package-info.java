/** The command image: the container image of the server, from the packaged program. */
@NullMarked
package dev.sluice.cli.image;

import org.jspecify.annotations.NullMarked;
