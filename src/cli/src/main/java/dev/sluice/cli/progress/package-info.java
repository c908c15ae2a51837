/**
 * Progress on standard error of a terminal. Start at {@link dev.sluice.cli.progress.FileProgress}.
 */
@NullMarked
package dev.sluice.cli.progress;

import org.jspecify.annotations.NullMarked;
