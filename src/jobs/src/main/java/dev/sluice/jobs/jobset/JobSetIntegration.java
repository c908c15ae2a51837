package dev.sluice.jobs.jobset;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.remote.SuspendedJobs;
import java.util.List;
import java.util.Optional;

/** The JobSet. */
public final class JobSetIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new JobSetAdmission();
  }

  @Override
  public JobLife life() {
    return JobLife.of(JobSets::job);
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(
        new SuspendedJobs(
            JobSets::job,
            Optional.of(List.of("spec", "managedBy")),
            List.of(List.of("spec", "ttlSecondsAfterFinished"))));
  }
}
