package dev.sluice.cli.hostile;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import java.util.List;
import java.util.random.RandomGenerator;

/** Jobs of every kind: each has the members of all, so that each finds its own among them. */
final class JobObjects {
  private static final List<String> VALUES =
      List.of(
          "q", "", "true", "1", "-1", "2147483648", "Bad Name", "[{\\\"topology\\\":\\\"r\\\"}]");
  private static final String POD =
      """
      {"metadata":{"labels":{},"annotations":{"kueue.x-k8s.io/podset-required-topology":"VALUE",\
      "kueue.x-k8s.io/podset-slice-size":"VALUE"}},"spec":{"restartPolicy":"Never","containers":[{\
      "name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}],"priorityClassName":"p"}}\
      """;
  private static final String SPEC =
      """
      {"suspend":true,"parallelism":3,"completions":3,"completionMode":"Indexed","replicas":2,\
      "managedBy":"x.io/y","template":POD,"containers":[{"name":"c","image":"i"}],\
      "schedulingGates":[{"name":"kueue.x-k8s.io/admission"}],"leaderWorkerTemplate":{"size":4,\
      "leaderTemplate":POD,"workerTemplate":POD},"replicatedJobs":[{"name":"r","replicas":2,\
      "template":{"spec":{"parallelism":2,"template":POD}}}],"runPolicy":{"suspend":true},\
      "mpiReplicaSpecs":{"Launcher":{"template":POD},"Worker":{"replicas":2,"template":POD}},\
      "pytorchReplicaSpecs":{"Master":{"template":POD}},"tfReplicaSpecs":{"Chief":{"template":POD}},\
      "paddleReplicaSpecs":{"Master":{"template":POD}},"xgbReplicaSpecs":{"Master":{"template":POD}},\
      "jaxReplicaSpecs":{"Worker":{"replicas":4,"template":POD}},"headGroupSpec":{"template":POD},\
      "workerGroupSpecs":[{"groupName":"g","replicas":2,"numOfHosts":2,"template":POD}],\
      "rayClusterSpec":{"headGroupSpec":{"template":POD},"workerGroupSpecs":[]},\
      "rayClusterConfig":{"headGroupSpec":{"template":POD},"workerGroupSpecs":[]},\
      "components":[{"podSets":[{"path":"template.spec.template","replicas":2}],"template":{\
      "spec":{"template":POD}}}],"driver":{},"executor":{"instances":4},"mode":"cluster",\
      "runtimeRef":{"name":"t"},"podTemplateOverrides":[]}\
      """;

  private JobObjects() {}

  static JsonObject of(RandomGenerator random, GroupVersionKind kind) {
    String value = Review.pick(random, VALUES);
    String text =
        """
        {"apiVersion":"%1$s","kind":"%2$s","metadata":{"name":"j","namespace":"ns","uid":"u",\
        "labels":{"kueue.x-k8s.io/queue-name":"%3$s","kueue.x-k8s.io/priority-class":"%3$s",\
        "kueue.x-k8s.io/pod-group-name":"g"},"annotations":{\
        "kueue.x-k8s.io/pod-group-total-count":"%3$s","kueue.x-k8s.io/job-min-parallelism":"%3$s"},\
        "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"u-j",\
        "controller":true}]},"spec":%4$s}\
        """
            .formatted(
                kind.apiVersion(),
                kind.kind(),
                value,
                SPEC.replace("POD", POD.replace("VALUE", Review.pick(random, VALUES))));
    return (JsonObject) SpelledJson.parse(text);
  }
}
