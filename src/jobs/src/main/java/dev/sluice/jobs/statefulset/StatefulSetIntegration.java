package dev.sluice.jobs.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.serving.RemoteServingSets;
import dev.sluice.jobs.serving.ServingPods;
import java.time.Duration;
import java.util.Optional;

/** The StatefulSet: its Pods are a group that serves. */
public final class StatefulSetIntegration implements JobIntegration {
  @Override
  public JobKind admission() {
    return new StatefulSetAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.OwnSteps(
        StatefulSetReconciler.REPORTER,
        (set, context, writes) -> new StatefulSetReconciler(set, context, writes).plan(),
        (gone, context, writes) ->
            ServingPods.letGo(StatefulSetReconciler.PARENT, gone, context, writes));
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(new RemoteServingSets());
  }

  @Override
  public Optional<String> touchedBy(GroupKind kind, JsonNode object) {
    JobObject meta = JobObject.of(object);
    return kind.equals(JobKey.POD) && Pods.hasParent(meta)
        ? meta.controllerOf(kind().groupKind())
        : Optional.empty();
  }

  @Override
  public boolean isNews(GroupKind kind, ObjectChange change) {
    return !kind.equals(JobKey.POD) || ServingPods.isNews(change);
  }

  @Override
  public Duration gathering(GroupKind changed) {
    return GATHERING;
  }
}
