/**
 * Specifies the command convert: what stays of a text, what is printed, what becomes of files.
 * Start at {@link dev.sluice.cli.convert.KeptTextTest}.
 */
@NullMarked
package dev.sluice.cli.convert;

import org.jspecify.annotations.NullMarked;
