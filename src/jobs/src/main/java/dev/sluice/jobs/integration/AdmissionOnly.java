package dev.sluice.jobs.integration;

import static java.util.Objects.requireNonNull;

import dev.sluice.jobs.admission.JobKind;

/** A kind that is reviewed, but that the scheduler does not run. */
public record AdmissionOnly(JobKind admission) implements JobIntegration {
  public AdmissionOnly {
    requireNonNull(admission, "admission");
  }

  @Override
  public JobLife life() {
    return new JobLife.NotPlanned();
  }
}
