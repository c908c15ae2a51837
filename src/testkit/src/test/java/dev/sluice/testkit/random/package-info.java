/** Specifications of the package of the same name. */
@NullMarked
package dev.sluice.testkit.random;

import org.jspecify.annotations.NullMarked;
