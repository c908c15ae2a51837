/**
 * The scheduler as a process beside a real control plane: any order of creation, and Jobs that are
 * placed by topology. Start reading at {@link dev.sluice.cli.schedule.ScheduleE2E}.
 */
@NullMarked
package dev.sluice.cli.schedule;

import org.jspecify.annotations.NullMarked;
