@NullMarked
package dev.sluice.examples.bakery;

import org.jspecify.annotations.NullMarked;
