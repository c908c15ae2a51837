package dev.sluice.webhook.laws;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.jobs.admission.JobScene;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.view.ObjectView;
import java.util.Arrays;
import java.util.List;

/** What may surround a request: nothing known, and clusters of operators with other choices. */
final class Worlds {
  static final List<ReviewContext> ALL =
      List.of(
          ReviewContext.UNKNOWN,
          of(JobScene.EMPTY),
          of(JobScene.EMPTY.managingAll()),
          of(
              JobScene.EMPTY
                  .withQueue("default")
                  .withQueue("queue")
                  .withPriorityClass("default")
                  .with(
                      "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':"
                          + "{'name':'cq'},'spec':{'admissionChecksStrategy':{'admissionChecks':"
                          + "[{'name':'elsewhere'}]}}}",
                      "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'AdmissionCheck','metadata':"
                          + "{'name':'elsewhere'},'spec':{'controllerName':"
                          + "'kueue.x-k8s.io/multikueue'}}",
                      "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns','labels':"
                          + "{'kubernetes.io/metadata.name':'ns'}}}",
                      "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':"
                          + "'ns','uid':'u-j','labels':{'kueue.x-k8s.io/queue-name':'queue'}}}")),
          of(
              JobScene.EMPTY
                  .managingAll()
                  .withQueue("default")
                  .without(
                      Arrays.stream(FeatureGate.values())
                          .filter(gate -> !gate.locked())
                          .toArray(FeatureGate[]::new))));

  private Worlds() {}

  private static ReviewContext of(JobScene scene) {
    return new ReviewContext(ObjectView.of(scene.objects()), scene.settings());
  }
}
