/**
 * Workloads that flow through a real API server: they are created at their times, admitted by a
 * scheduler in a process of its own, and finished after their run time. Start at {@link
 * dev.sluice.bench.flow.FlowRun}.
 */
@NullMarked
package dev.sluice.bench.flow;

import org.jspecify.annotations.NullMarked;
