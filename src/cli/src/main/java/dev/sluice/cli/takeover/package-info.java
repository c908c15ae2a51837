/** {@code sluice takeover}: whether one scheduler can be switched for the other, and how. */
@NullMarked
package dev.sluice.cli.takeover;

import org.jspecify.annotations.NullMarked;
