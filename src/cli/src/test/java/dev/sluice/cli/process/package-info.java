/**
 * The program as its users run it: the packaged jar in a process of its own, and the launcher.
 * Start reading at {@link dev.sluice.cli.process.RunIT}.
 */
@NullMarked
package dev.sluice.cli.process;

import org.jspecify.annotations.NullMarked;
