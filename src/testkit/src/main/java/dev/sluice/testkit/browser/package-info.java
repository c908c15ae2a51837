/** A real browser without a screen, driven by its own protocol. */
@NullMarked
package dev.sluice.testkit.browser;

import org.jspecify.annotations.NullMarked;
