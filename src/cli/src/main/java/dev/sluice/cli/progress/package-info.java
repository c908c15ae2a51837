/**
 * Progress on standard error, for people who watch. Start at {@link
 * dev.sluice.cli.progress.FileProgress}.
 */
@NullMarked
package dev.sluice.cli.progress;

import org.jspecify.annotations.NullMarked;
