/**
 * What queues, namespaces, or owners used over a time, from the lines of a history. Start at {@link
 * dev.sluice.see.report.ReportBuilder}.
 */
@NullMarked
package dev.sluice.see.report;

import org.jspecify.annotations.NullMarked;
