/** Specifications of the package of the same name. */
@NullMarked
package dev.sluice.controlplane;

import org.jspecify.annotations.NullMarked;
