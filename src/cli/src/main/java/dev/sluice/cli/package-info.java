/**
 * The {@code sluice} program: one package per command, all put together in {@link
 * dev.sluice.cli.Sluice}. Start at {@link dev.sluice.cli.Main}.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
