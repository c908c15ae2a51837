package dev.sluice.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Jobs run to their end on nodes that are only simulated. */
@FullTier
@NeedsControlPlane({Part.KUBE_CONTROLLER_MANAGER, Part.KUBE_SCHEDULER, Part.KWOK})
class SimulatedNodesE2E {
  private static final Duration SOON = Duration.ofSeconds(40);

  @Test
  void aJobOfThreeCompletionsCompletesOnTheNodesItSelects(ControlPlane controlPlane) {
    ApiClient client = controlPlane.client();
    client.create("/api/v1/nodes", node("p1-node", "p1")).orThrow();
    client.create("/api/v1/nodes", node("p2-node", "p2")).orThrow();
    client.create("/apis/batch/v1/namespaces/default/jobs", job()).orThrow();

    var job =
        client.await(
            "/apis/batch/v1/namespaces/default/jobs/load",
            SOON,
            found -> ApiClient.hasCondition(found, "Complete"));

    assertThat(job.json().at("/status/succeeded").asInt()).isEqualTo(3);
    var pods = client.list("/api/v1/namespaces/default/pods", "job-name=load").json().path("items");
    assertThat(pods).hasSize(3);
    assertThat(pods).allMatch(pod -> pod.at("/spec/nodeName").asText().equals("p1-node"));
  }

  private static String node(String name, String pool) {
    return """
    {"apiVersion": "v1", "kind": "Node",
     "metadata": {"name": "%s", "labels": {"pool": "%s"}},
     "status": {"capacity": {"cpu": "4", "memory": "8Gi", "pods": "20"},
                "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "20"}}}
    """
        .formatted(name, pool);
  }

  private static String job() {
    return """
    {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "load"},
     "spec": {"completions": 3, "parallelism": 3, "template": {"spec": {
       "restartPolicy": "Never", "nodeSelector": {"pool": "p1"},
       "containers": [{"name": "main", "image": "none",
                       "resources": {"requests": {"cpu": "1"}}}]}}}}
    """;
  }
}
