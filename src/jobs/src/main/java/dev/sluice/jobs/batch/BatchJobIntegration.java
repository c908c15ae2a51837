package dev.sluice.jobs.batch;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.ElasticSizes;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.Optional;

/** The Job of batch/v1. */
public final class BatchJobIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new BatchJobAdmission();
  }

  @Override
  public JobLife life() {
    return JobLife.of(BatchJob::new);
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(new RemoteBatchJobs(ElasticSizes.of(settings)));
  }
}
