package dev.sluice.jobs.appwrapper;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.remote.SuspendedJobs;
import java.util.List;
import java.util.Optional;

/** The AppWrapper. */
public final class AppWrapperIntegration implements JobIntegration {
  private static final List<String> TIME_TO_LIVE =
      List.of("metadata", "annotations", "workload.codeflare.dev.appwrapper/successTTLDuration");

  @Override
  public JobKind admission() {
    return new AppWrapperAdmission();
  }

  @Override
  public JobLife life() {
    return JobLife.of(AppWrapperJob::job);
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(
        new SuspendedJobs(
            AppWrapperJob::job, Optional.of(List.of("spec", "managedBy")), List.of(TIME_TO_LIVE)));
  }
}
