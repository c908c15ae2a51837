/**
 * The command test: runs scenarios (queues, workloads and the expected results) without a cluster.
 * Start at {@link dev.sluice.cli.scenario.ScenarioRunner}.
 */
@NullMarked
package dev.sluice.cli.scenario;

import org.jspecify.annotations.NullMarked;
