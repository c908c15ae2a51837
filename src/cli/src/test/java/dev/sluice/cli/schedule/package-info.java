/** The scheduler on a real control plane: any order of creation. */
@NullMarked
package dev.sluice.cli.schedule;

import org.jspecify.annotations.NullMarked;
