package dev.sluice.jobs.ray;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.Optional;

/** The RayCluster. */
public final class RayClusterIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new RayClusterAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.OneWorkload(
        (cluster, context) -> Optional.of(RayClusters.job(cluster, context.settings())));
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(RemoteRays.clusters(settings));
  }
}
