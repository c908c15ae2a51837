/**
 * A small operator that uses Sluice as a library. The page {@code docs/tasks/embed.md} explains it.
 */
@NullMarked
package dev.sluice.examples.bakery;

import org.jspecify.annotations.NullMarked;
