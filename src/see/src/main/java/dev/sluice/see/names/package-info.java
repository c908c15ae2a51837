/** Whose names a reader may see. */
@NullMarked
package dev.sluice.see.names;

import org.jspecify.annotations.NullMarked;
