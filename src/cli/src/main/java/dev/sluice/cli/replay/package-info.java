/**
 * The command replay: decides again what a flight recorder has recorded, compares, and makes
 * scenarios of single decisions. Start at {@link dev.sluice.cli.replay.ReplayCommand}.
 */
@NullMarked
package dev.sluice.cli.replay;

import org.jspecify.annotations.NullMarked;
