/** Specifications of the package of the same name. */
@NullMarked
package dev.sluice.cli.completion;

import org.jspecify.annotations.NullMarked;
