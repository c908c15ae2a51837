package dev.sluice.cli.outage;

import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.cli.kinds.KindScene;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.kinds.KindStory.Phase;
import dev.sluice.controlplane.ApiClient;

/**
 * The life of one job, with its user and its operator: it runs to its end, is deactivated while it
 * runs and runs again, or is deleted while it runs.
 *
 * @param fate a deactivation comes with {@value #EVICTED}, a deletion with {@value #DELETED}; with
 *     others it runs to its end
 */
record KindLife(KindStory story, KindScene scene, String clusterQueue, int fate)
    implements Runnable {
  static final int EVICTED = 2;
  static final int DELETED = 3;

  /** Returns once nothing is left to do; fails if something does not happen in time. */
  @Override
  public void run() {
    scene.open(clusterQueue).createJob(KindScene.QUEUE);
    start();
    if (fate == EVICTED) {
      evict();
      start();
    }
    if (fate == DELETED || !story.ends()) {
      delete();
    } else {
      scene.operate(Phase.SUCCEEDED, "all is done");
      scene.await("it is finished", () -> scene.is(ConditionTypes.FINISHED));
    }
  }

  private void start() {
    scene.await("it is started", () -> !story.isHeld(scene));
    scene.operate(Phase.PODS_CREATED, "");
    scene.operate(Phase.READY, "");
  }

  private void evict() {
    scene.setActive(false);
    scene.await("it is suspended", () -> story.isHeld(scene));
    scene.operate(Phase.STOPPED, "");
    scene.await(
        "its quota is given back",
        () ->
            scene.workloads().stream()
                .noneMatch(it -> ApiClient.hasCondition(it, ConditionTypes.QUOTA_RESERVED)));
    scene.setActive(true);
  }

  private void delete() {
    scene.deleteJob();
    scene.await(
        "its Workload has no finalizer",
        () -> scene.workloads().stream().allMatch(it -> it.at("/metadata/finalizers").isEmpty()));
  }
}
