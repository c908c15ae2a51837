package dev.sluice.jobs.train;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The TrainJob; its runtime defines its Pods, and its JobSet shows whether they run. */
public final class TrainJobIntegration implements JobIntegration {
  private static final GroupVersionKind JOB_SET = Framework.JOB_SET.type();

  @Override
  public JobKind admission() {
    return new TrainJobAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.OneWorkload(
        (trainJob, context) -> Optional.of(TrainJob.of(trainJob, context)));
  }

  @Override
  public Set<GroupVersionKind> reads() {
    Set<GroupVersionKind> kinds = new LinkedHashSet<>(Set.of(JOB_SET));
    kinds.addAll(runtimes());
    return kinds;
  }

  @Override
  public Set<GroupVersionKind> runtimes() {
    Set<GroupVersionKind> kinds = new LinkedHashSet<>();
    for (GroupKind runtime : TrainJob.RUNTIMES) {
      kinds.add(new GroupVersionKind(runtime.group(), TrainJob.KIND.version(), runtime.kind()));
    }
    return kinds;
  }

  @Override
  public Optional<String> touchedBy(GroupKind kind, JsonNode object) {
    return kind.equals(JOB_SET.groupKind())
        ? JobObject.of(object).controllerOf(kind().groupKind())
        : Optional.empty();
  }

  @Override
  public Duration gathering(GroupKind changed) {
    return changed.equals(JOB_SET.groupKind()) ? GATHERING : Duration.ZERO;
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(new RemoteTrainJobs(settings));
  }
}
