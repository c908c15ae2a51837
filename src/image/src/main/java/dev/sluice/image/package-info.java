/**
 * Builds the container image of the server: a linked Java runtime, the few files of Debian that it
 * needs, the program, and what makes it start quickly. Nothing here needs a container engine.
 */
@NullMarked
package dev.sluice.image;

import org.jspecify.annotations.NullMarked;
