/** The command run, attached to a real control plane. */
@NullMarked
package dev.sluice.cli.run;

import org.jspecify.annotations.NullMarked;
