package dev.sluice.jobs.ray;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobLife;

/** The RayJob, but for one that runs on a cluster that is there already: that one does not wait. */
public final class RayJobIntegration implements RayClusterOwner {
  @Override
  public JobKind admission() {
    return new RayJobAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.OneWorkload(RayJobs::read);
  }
}
