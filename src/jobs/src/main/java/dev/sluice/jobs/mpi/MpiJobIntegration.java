package dev.sluice.jobs.mpi;

import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.kubeflow.ReplicaJob;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.remote.SuspendedJobs;
import java.util.List;
import java.util.Optional;

/** The MPIJob. */
public final class MpiJobIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new MpiJobAdmission();
  }

  @Override
  public JobLife life() {
    return JobLife.of(
        object ->
            ReplicaJob.job(
                Framework.MPI_JOB, object, MpiJobAdmission.REPLICAS, MpiJobAdmission.ROLES));
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(
        new SuspendedJobs(
            object ->
                ReplicaJob.job(
                    Framework.MPI_JOB, object, MpiJobAdmission.REPLICAS, MpiJobAdmission.ROLES),
            Optional.of(List.of("spec", "runPolicy", "managedBy")),
            List.of(List.of("spec", "runPolicy", "ttlSecondsAfterFinished"))));
  }
}
