/**
 * The command schedule: the sidecar that makes jobs flow. Start with {@link
 * dev.sluice.server.schedule.ScheduleCommand}; {@link dev.sluice.server.schedule.Scheduling} is the
 * same for other commands.
 */
@NullMarked
package dev.sluice.server.schedule;

import org.jspecify.annotations.NullMarked;
