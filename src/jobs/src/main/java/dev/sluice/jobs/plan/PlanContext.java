package dev.sluice.jobs.plan;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * What a plan is made from beside the job itself.
 *
 * @param now the time, in whole seconds
 * @param matches what earlier plans have found
 */
public record PlanContext(JobWorld world, JobSettings settings, Instant now, KnownMatches matches) {
  public PlanContext {
    requireNonNull(world, "world");
    requireNonNull(settings, "settings");
    requireNonNull(now, "now");
    requireNonNull(matches, "matches");
  }

  /** The same for a first plan. */
  public PlanContext(JobWorld world, JobSettings settings, Instant now) {
    this(world, settings, now, new KnownMatches());
  }
}
