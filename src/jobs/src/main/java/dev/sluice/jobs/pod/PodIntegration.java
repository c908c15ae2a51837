package dev.sluice.jobs.pod;

import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.Optional;

/** The Pod as a job of its own; {@link PodGroupReconciler} plans Pods that name a group. */
public final class PodIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new PodAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.OneWorkload(
        (pod, context) ->
            Pods.isManaged(pod, context.settings()) && Pods.group(pod, context.settings()).isEmpty()
                ? Optional.of(new SinglePod(pod, context.now()))
                : Optional.empty());
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(new RemotePods());
  }
}
