/**
 * What a person at a terminal sees while something takes its time. Start at {@link
 * dev.sluice.cli.terminal.TerminalBar}.
 */
@NullMarked
package dev.sluice.cli.terminal;

import org.jspecify.annotations.NullMarked;
