/**
 * The command simulate: what the queues would do with these manifests, cycle by cycle, as a table
 * and as a picture. Start at {@link dev.sluice.cli.simulate.Simulation}.
 */
@NullMarked
package dev.sluice.cli.simulate;

import org.jspecify.annotations.NullMarked;
