/** The image as it is built here, unpacked and run. */
@NullMarked
package dev.sluice.cli.image;

import org.jspecify.annotations.NullMarked;
