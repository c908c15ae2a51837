/**
 * What a run found, as a table for the terminal and as a file to keep. Start at {@link
 * dev.sluice.bench.report.Report}.
 */
@NullMarked
package dev.sluice.bench.report;

import org.jspecify.annotations.NullMarked;
