package dev.sluice.jobs.remote;

import dev.sluice.jobs.plan.EmptyJobWorld;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.PlanContext;
import java.time.Instant;

/**
 * How a job on another cluster, or its copy, is read: nothing but the job itself is seen. What its
 * operator made of it, such as the cluster of a RayJob, is known by the job's status only.
 */
public final class Isolated {
  private static final JobWorld WORLD = new EmptyJobWorld();

  private Isolated() {}

  /** What such a job is read with. */
  public static PlanContext context(JobSettings settings) {
    return new PlanContext(WORLD, settings, Instant.EPOCH);
  }
}
