/**
 * The command test: scenarios, which are queues, workloads and what is to become of them, played
 * without a cluster. Start at {@link dev.sluice.cli.scenario.ScenarioRunner}.
 */
@NullMarked
package dev.sluice.cli.scenario;

import org.jspecify.annotations.NullMarked;
