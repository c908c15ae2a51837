package dev.sluice.jobs.appwrapper;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;

/** The AppWrapper. */
public final class AppWrapperIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new AppWrapperAdmission();
  }

  @Override
  public JobLife life() {
    return JobLife.of(AppWrapperJob::job);
  }
}
