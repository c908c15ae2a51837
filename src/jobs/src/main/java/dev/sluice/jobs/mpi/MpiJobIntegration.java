package dev.sluice.jobs.mpi;

import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.kubeflow.ReplicaJob;

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
}
