package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The scheduler as a process beside a real API server. */
@NeedsControlPlane
@Timeout(360)
class ScheduleE2E {
  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, 3, "");

  private static String workloads(String namespace) {
    return Kueue.collection(WORKLOAD, HUB, namespace);
  }

  private static void namespace(String name) {
    CLUSTER
        .api()
        .create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name))
        .orThrow();
  }

  private static Runnable creates(ApiKind kind, String namespace, String name, String spec) {
    return () -> Kueue.create(CLUSTER.api(), kind, namespace, name, spec).orThrow();
  }

  private static List<Runnable> queues(String namespace, String name, int quota) {
    return List.of(
        creates(RESOURCE_FLAVOR, "", "f-" + name, "{}"),
        creates(CLUSTER_QUEUE, "", "cq-" + name, Kueue.clusterQueue("f-" + name, quota)),
        creates(LOCAL_QUEUE, namespace, "lq-" + name, Kueue.localQueue("cq-" + name)));
  }

  private static Runnable workload(String namespace, String name, String queue) {
    return creates(WORKLOAD, namespace, name, Kueue.workload("lq-" + queue, 1));
  }

  private static List<JsonNode> all(String namespace) {
    List<JsonNode> all = new ArrayList<>();
    CLUSTER.api().get(workloads(namespace)).orThrow().json().path("items").forEach(all::add);
    return all;
  }

  /** What a job would have written: it is over. A conflict is left for the next round. */
  private static void finish(JsonNode workload) {
    ObjectNode patch = workload.deepCopy();
    ObjectNode finished = ((ObjectNode) patch.path("status")).withArray("conditions").addObject();
    finished.put("type", "Finished").put("status", "True").put("reason", "Succeeded");
    finished.put("message", "over");
    finished.put("lastTransitionTime", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    String name = workload.at("/metadata/name").asText();
    String namespace = workload.at("/metadata/namespace").asText();
    CLUSTER.api().put(workloads(namespace) + "/" + name + "/status", patch.toString());
  }

  private static int finishAdmitted(String namespace) {
    int finished = 0;
    for (JsonNode workload : all(namespace)) {
      if (ApiClient.hasCondition(workload, "Finished")) {
        finished++;
      } else if (ApiClient.hasCondition(workload, "Admitted")) {
        finish(workload);
      }
    }
    return finished;
  }

  @Test
  void aQueueThatIsDeletedAdmitsNobodyAndGoesWithItsLastWorkload()
      throws IOException, InterruptedException {
    namespace("leaving");
    queues("leaving", "leaving", 1).forEach(Runnable::run);
    workload("leaving", "first", "leaving").run();
    workload("leaving", "second", "leaving").run();
    String queue = Kueue.path(CLUSTER_QUEUE, HUB, "cq-leaving");
    try (SluiceProcess process = SCHEDULER.start()) {
      SCHEDULER.await("one is admitted", () -> admitted("leaving") == 1);

      CLUSTER.api().delete(queue).orThrow();
      SCHEDULER.await(
          "it says that it goes",
          () ->
              CLUSTER
                  .api()
                  .get(queue)
                  .orThrow()
                  .json()
                  .at("/status/conditions/0/reason")
                  .asText()
                  .equals("Terminating"));
      SCHEDULER.await(
          "it is gone once nobody holds its quota",
          () -> {
            finishAdmitted("leaving");
            return CLUSTER.api().get(queue).status() == 404;
          });
      SCHEDULER.await(
          "who waits is told why",
          () ->
              all("leaving").stream()
                  .map(it -> it.at("/status/conditions").toString())
                  .anyMatch(it -> it.contains("ClusterQueue cq-leaving doesn't exist")));
      SchedulerBeside.stop(process);
    }
  }

  private static long admitted(String namespace) {
    return all(namespace).stream()
        .filter(
            it -> ApiClient.hasCondition(it, "Admitted") && !ApiClient.hasCondition(it, "Finished"))
        .count();
  }
}
