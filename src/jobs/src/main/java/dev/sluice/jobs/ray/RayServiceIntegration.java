package dev.sluice.jobs.ray;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.Optional;

/** The RayService. */
public final class RayServiceIntegration implements RayClusterOwner {
  @Override
  public JobKind admission() {
    return new RayServiceAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.OneWorkload(
        (service, context) -> Optional.of(RayServices.job(service, context)));
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(RemoteRays.services(settings));
  }
}
