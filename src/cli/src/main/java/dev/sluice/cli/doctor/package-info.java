/**
 * The command doctor: walks the way that reads and writes of our kinds take through a cluster, and
 * says what stands in it. Start at {@link dev.sluice.cli.doctor.Examination}, which has the checks
 * in their order.
 */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
