package dev.sluice.jobs.custom;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.configuration.CustomKind;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.remote.SuspendedJobs;
import java.util.List;
import java.util.Optional;

/** A kind that a configuration describes. */
public record CustomJobIntegration(CustomKind custom) implements JobIntegration {
  public CustomJobIntegration {
    requireNonNull(custom, "custom");
  }

  @Override
  public JobKind admission() {
    return new CustomJobAdmission(custom);
  }

  /** Without a field that suspends it, its Pods are queued one by one. */
  @Override
  public JobLife life() {
    return custom.suspendPath().isPresent()
        ? JobLife.of(job -> CustomJobs.job(job, custom))
        : new JobLife.ByItsPods(job -> CustomJobs.templates(job, custom));
  }

  @Override
  public boolean isEnabled(JobSettings settings) {
    return true;
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return custom.suspendPath().isPresent()
        ? custom
            .managedByPath()
            .map(
                path ->
                    new SuspendedJobs(
                        job -> CustomJobs.job(job, custom), Optional.of(path.steps()), List.of()))
        : Optional.empty();
  }
}
