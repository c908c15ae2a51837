/**
 * Specification of what is shown at a terminal, see {@link dev.sluice.cli.terminal.TerminalBar}.
 */
@NullMarked
package dev.sluice.cli.terminal;

import org.jspecify.annotations.NullMarked;
