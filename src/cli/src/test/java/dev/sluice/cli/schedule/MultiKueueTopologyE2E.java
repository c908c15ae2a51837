package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.TOPOLOGY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.Nodes;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that are placed by topology on another cluster. The manager has no nodes. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(600)
class MultiKueueTopologyE2E {
  private static final String QUEUE = "placed";
  private static final String HOSTNAME = "kubernetes.io/hostname";

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  /** What the delayed request of the Workload on the manager was, in the order of the alphabet. */
  private static final Set<String> REQUESTS = new ConcurrentSkipListSet<>();

  /** Whether the Workload on the manager ever had places. */
  private static volatile boolean hadPlacesHere;

  @BeforeAll
  static void clusters() {
    FLEET.start(Configuration.defaults(Fleet.HOME));
    queue(
        FLEET.api(),
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"multikueue\"}]}");
    for (String worker : FLEET.workers.keySet()) {
      queue(FLEET.api(worker), "");
      Nodes.create(FLEET.api(worker), node(worker), 8, Map.of("pool", QUEUE)).orThrow();
      keepReady(worker);
    }
    FLEET.opened(
        List.of(
            new WatchedRevisions(
                FLEET.api(), List.of(Fleet.workloads()), (_, object, _) -> seen(object))));
  }

  private static String node(String worker) {
    return "node-of-" + worker;
  }

  /** A kubelet says so every few seconds. */
  private static void keepReady(String worker) {
    String path = "/api/v1/nodes/" + node(worker);
    FLEET.api(worker).mergePatch(path, "{\"spec\":{\"taints\":null}}").orThrow();
    FLEET
        .api(worker)
        .mergePatch(
            path + "/status",
            """
            {"status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady",
            "message":"","lastHeartbeatTime":"%1$s","lastTransitionTime":"%1$s"}]}}\
            """
                .formatted(Instant.now()))
        .orThrow();
  }

  private static void queue(ApiClient api, String more) {
    api.create(
            Kueue.collection(TOPOLOGY, ApiVersion.HUB),
            Kueue.topology(ApiVersion.HUB, QUEUE, HOSTNAME))
        .orThrow();
    Kueue.create(
            api,
            RESOURCE_FLAVOR,
            QUEUE,
            "{\"nodeLabels\":{\"pool\":\"%1$s\"},\"topologyName\":\"%1$s\"}".formatted(QUEUE))
        .orThrow();
    String spec = Kueue.clusterQueue(QUEUE, 10);
    Kueue.create(api, CLUSTER_QUEUE, QUEUE, spec.substring(0, spec.length() - 1) + more + "}")
        .orThrow();
    Kueue.create(api, LOCAL_QUEUE, Fleet.NAMESPACE, QUEUE, Kueue.localQueue(QUEUE)).orThrow();
  }

  private static void seen(JsonNode workload) {
    for (JsonNode podSet : workload.at("/status/admission/podSetAssignments")) {
      REQUESTS.add(podSet.path("delayedTopologyRequest").asText("none"));
      hadPlacesHere |= podSet.has("topologyAssignment");
    }
  }

  private static void createJob(String name) {
    FLEET
        .api()
        .create(
            Fleet.jobs(),
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{
            "kueue.x-k8s.io/queue-name":"%s"}},"spec":{"managedBy":"kueue.x-k8s.io/multikueue",
            "template":{"metadata":{"annotations":{"kueue.x-k8s.io/podset-required-topology":"%s"}},
            "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{
            "requests":{"cpu":"1"}}}]}}}}\
            """
                .formatted(name, QUEUE, HOSTNAME))
        .orThrow();
  }

  private static boolean isPlaced(String worker, String job) {
    keepReady(worker);
    return FLEET
        .items(worker, Fleet.pods())
        .valueStream()
        .filter(it -> it.at("/metadata/labels/job-name").asText().equals(job))
        .anyMatch(
            it ->
                !it.path("spec").has("schedulingGates")
                    && it.at("/spec/nodeSelector").path(HOSTNAME).asText().equals(node(worker)));
  }

  @Test
  void theRequestIsDelayedHereAndThePodsArePlacedThere() {
    createJob("tas");
    FLEET.await(
        "a worker is chosen",
        () -> {
          FLEET.workers.keySet().forEach(MultiKueueTopologyE2E::keepReady);
          return !FLEET.chosen("tas").isEmpty();
        });
    String worker = FLEET.chosen("tas");
    FLEET.await("its pod is placed there", () -> isPlaced(worker, "tas"));

    FLEET.await(
        "it is admitted here",
        () -> ApiClient.hasCondition(FLEET.workload("tas").orElseThrow(), "Admitted"));
    JsonNode here = FLEET.workload("tas").orElseThrow().at("/status/admission/podSetAssignments/0");
    assertThat(here.path("delayedTopologyRequest").asText()).isEqualTo("Ready");
    assertThat(REQUESTS).containsExactly("Pending", "Ready");
    assertThat(hadPlacesHere).isFalse();
    String name = FLEET.workload("tas").orElseThrow().at("/metadata/name").asText();
    assertThat(
            FLEET
                .api(worker)
                .get(Fleet.workloads() + "/" + name)
                .orThrow()
                .json()
                .at("/status/admission/podSetAssignments/0")
                .has("topologyAssignment"))
        .isTrue();

    FLEET.succeed(worker, "tas");
    FLEET.finishes("tas");
    FLEET.leavesNothingElsewhere("tas");
  }
}
