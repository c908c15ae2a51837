/** Specifications of the package of the same name. */
@NullMarked
package dev.sluice.testkit.json;

import org.jspecify.annotations.NullMarked;
