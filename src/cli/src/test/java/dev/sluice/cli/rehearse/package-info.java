/** Specifications of the package of the same name. */
@NullMarked
package dev.sluice.cli.rehearse;

import org.jspecify.annotations.NullMarked;
