package dev.sluice.jobs.kubeflow;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.remote.SuspendedJobs;
import java.util.List;
import java.util.Optional;

/** A job of kubeflow.org/v1. */
public record KubeflowJobIntegration(KubeflowJobAdmission admission) implements JobIntegration {
  public KubeflowJobIntegration {
    requireNonNull(admission, "admission");
  }

  @Override
  public JobLife life() {
    Framework framework = Framework.find(framework()).orElseThrow();
    return JobLife.of(object -> job(framework, object));
  }

  private Job job(Framework framework, JsonNode object) {
    return ReplicaJob.job(framework, object, admission.replicas(), admission.roles());
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(
        new SuspendedJobs(
            object -> job(Framework.find(framework()).orElseThrow(), object),
            Optional.of(List.of("spec", "runPolicy", "managedBy")),
            List.of(List.of("spec", "runPolicy", "ttlSecondsAfterFinished"))));
  }
}
