/** Tests of the program as a whole; {@link dev.sluice.cli.Commands} runs commands in process. */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
