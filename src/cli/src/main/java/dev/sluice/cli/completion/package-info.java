/** The command completion: prints a script with which a shell completes command lines. */
@NullMarked
package dev.sluice.cli.completion;

import org.jspecify.annotations.NullMarked;
