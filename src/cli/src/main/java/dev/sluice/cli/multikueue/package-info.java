/** The command {@code sluice multikueue}: lets a manager cluster use a worker cluster. */
@NullMarked
package dev.sluice.cli.multikueue;

import org.jspecify.annotations.NullMarked;
