package dev.sluice.jobs.spark;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;

/** The SparkApplication, behind a feature gate. */
public final class SparkApplicationIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new SparkApplicationAdmission();
  }

  @Override
  public JobLife life() {
    return JobLife.of(SparkApplicationJob::job);
  }

  @Override
  public boolean isEnabled(JobSettings settings) {
    return settings.isOn(FeatureGate.SPARK_APPLICATION_INTEGRATION)
        && JobIntegration.super.isEnabled(settings);
  }
}
