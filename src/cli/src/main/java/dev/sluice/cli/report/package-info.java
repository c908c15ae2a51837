/**
 * The commands report and forecast: what was used, and how good forecasts were. Start at {@link
 * dev.sluice.cli.report.ReportCommand}.
 */
@NullMarked
package dev.sluice.cli.report;

import org.jspecify.annotations.NullMarked;
