/** Specifications of the package of the same name. */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
