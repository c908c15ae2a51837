package dev.sluice.jobs.leaderworkerset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.serving.ServingPods;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The LeaderWorkerSet: the Pods of each replica are a group that serves. */
public final class LeaderWorkerSetIntegration implements JobIntegration {
  private static final String NAME = "leaderworkerset.sigs.k8s.io/name";
  private static final GroupVersionKind STATEFUL_SET = Framework.STATEFUL_SET.type();

  @Override
  public JobKind admission() {
    return new LeaderWorkerSetAdmission();
  }

  @Override
  public JobLife life() {
    return new JobLife.OwnSteps(
        LeaderWorkerSetReconciler.REPORTER,
        (set, context, writes) -> new LeaderWorkerSetReconciler(set, context, writes).plan(),
        (gone, context, writes) ->
            ServingPods.letGo(LeaderWorkerSetReconciler.PARENT, gone, context, writes));
  }

  /** Its Pods are made by StatefulSets, which say which revision they are of. */
  @Override
  public Set<GroupVersionKind> reads() {
    return Set.of(STATEFUL_SET);
  }

  @Override
  public Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.of(new RemoteLeaderWorkerSets());
  }

  @Override
  public Optional<String> touchedBy(GroupKind kind, JsonNode object) {
    boolean isOfOne =
        kind.equals(STATEFUL_SET.groupKind())
            || (kind.equals(JobKey.POD)
                && ServingPods.areOf(LeaderWorkerSetReconciler.PARENT, object));
    return isOfOne
        ? Optional.of(JobObject.of(object).labelText(NAME)).filter(name -> !name.isEmpty())
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
