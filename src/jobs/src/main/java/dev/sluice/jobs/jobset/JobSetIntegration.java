package dev.sluice.jobs.jobset;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;

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
}
