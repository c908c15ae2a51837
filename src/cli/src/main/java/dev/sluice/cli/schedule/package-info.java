/**
 * The command schedule: the sidecar that makes jobs flow. Start with {@link
 * dev.sluice.cli.schedule.ScheduleCommand}; {@link dev.sluice.cli.schedule.Scheduling} is the same
 * for other commands.
 */
@NullMarked
package dev.sluice.cli.schedule;

import org.jspecify.annotations.NullMarked;
