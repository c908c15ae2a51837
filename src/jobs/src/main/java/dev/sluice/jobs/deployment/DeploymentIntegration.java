package dev.sluice.jobs.deployment;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import java.util.List;

/** The Deployment: reviews mark its Pod template, and each Pod is a job of its own. */
public final class DeploymentIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new DeploymentAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.ByItsPods(_ -> List.of(List.of("spec", "template")));
  }
}
