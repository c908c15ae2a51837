package dev.sluice.jobs.plan;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * What a plan is made from beside the job itself.
 *
 * @param now the time, in whole seconds
 */
public record PlanContext(JobWorld world, JobSettings settings, Instant now) {
  public PlanContext {
    requireNonNull(world, "world");
    requireNonNull(settings, "settings");
    requireNonNull(now, "now");
  }
}
