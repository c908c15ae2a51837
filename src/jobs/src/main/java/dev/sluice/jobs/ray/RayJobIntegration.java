package dev.sluice.jobs.ray;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.Optional;

/** The RayJob, except one that runs on an existing cluster: that is not queued. */
public final class RayJobIntegration implements RayClusterOwner {
  @Override
  public JobKind admission() {
    return new RayJobAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.OneWorkload(RayJobs::read);
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(RemoteRays.jobs(settings));
  }
}
