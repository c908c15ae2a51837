package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Job that grows and shrinks while it runs, with the real Job controller. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class ElasticJobE2E {
  private static final String PODS = "/api/v1/namespaces/growing/pods";
  private static final String JOBS = "/apis/batch/v1/namespaces/growing/jobs";
  private static final String QUEUE = Kueue.path(CLUSTER_QUEUE, HUB, "growing");

  private static final String JOB =
      """
      {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j","labels":{
      "kueue.x-k8s.io/queue-name":"lq"},"annotations":{"kueue.x-k8s.io/elastic-job":"true"}},
      "spec":{"suspend":true,"parallelism":2,"completions":50,"template":{"spec":{
      "restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{
      "requests":{"cpu":"1"}}}]}}}}\
      """;

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, "");

  /** How many Pods may start, and how many wait. */
  private static List<Long> pods() {
    List<JsonNode> live =
        items(PODS).stream().filter(it -> !it.path("metadata").has("deletionTimestamp")).toList();
    long held = live.stream().filter(it -> !it.at("/spec/schedulingGates").isEmpty()).count();
    return List.of(live.size() - held, held);
  }

  /**
   * A Pod that is deleted takes its time to go; the one in its place waits for that. It is on a
   * node: one on none is marked as failed by the garbage collector, which looks every 20 s, and
   * then it is out of the way.
   */
  private static void replaceOne() {
    String name = items(PODS).getFirst().at("/metadata/name").asText();
    String pod = PODS + "/" + name;
    CLUSTER
        .api()
        .create(
            pod + "/binding",
            "{\"metadata\":{\"name\":\"%s\"},\"target\":{\"name\":\"some-node\"}}".formatted(name))
        .orThrow();
    CLUSTER.api().delete(pod).orThrow();
    await(5, 1);
    CLUSTER.api().deleteNow(pod).orThrow();
    await(6, 0);
  }

  private static JsonNode job() {
    return CLUSTER.api().get(JOBS + "/j").orThrow().json();
  }

  private static void scale(int pods) {
    CLUSTER
        .api()
        .mergePatch(JOBS + "/j", "{\"spec\":{\"parallelism\":%d}}".formatted(pods))
        .orThrow();
  }

  private static void await(long going, long held) {
    SCHEDULER.await(
        going + " Pods may start and " + held + " wait",
        () -> pods().equals(List.of(going, held)),
        () -> pods() + "\n" + workloads().stream().map(ElasticJobE2E::brief).toList());
  }

  private static String brief(JsonNode workload) {
    return "%s %s %s"
        .formatted(
            workload.at("/metadata/name"),
            workload.at("/spec/podSets/0/count"),
            workload.path("status"));
  }

  private static List<JsonNode> workloads() {
    return items(Kueue.collection(WORKLOAD, HUB, "growing"));
  }

  private static List<JsonNode> items(String path) {
    return CLUSTER.api().get(path).orThrow().json().path("items").valueStream().toList();
  }

  private static String reserved() {
    JsonNode queue = CLUSTER.api().get(QUEUE).orThrow().json();
    return queue.at("/status/flavorsReservation/0/resources/0/total").asText();
  }

  @Test
  void growsWithTheQuotaThereIsWaitsWithTheRestAndShrinksWithoutBeingStopped()
      throws IOException, InterruptedException {
    CLUSTER.api().create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"growing\"}}").orThrow();
    Kueue.create(CLUSTER.api(), RESOURCE_FLAVOR, "", "rf", "{}").orThrow();
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, "", "growing", Kueue.clusterQueue("rf", 4))
        .orThrow();
    Kueue.create(CLUSTER.api(), LOCAL_QUEUE, "growing", "lq", Kueue.localQueue("growing"))
        .orThrow();
    CLUSTER.api().create(JOBS, JOB).orThrow();
    try (SluiceProcess first = SCHEDULER.start()) {
      await(2, 0);
      scale(4);
      await(4, 0);
      scale(6);
      await(4, 2);
      first.kill();
    }
    String started = job().at("/status/startTime").asText();

    try (SluiceProcess second = SCHEDULER.start()) {
      String more = "{\"spec\":%s}".formatted(Kueue.clusterQueue("rf", 6));
      CLUSTER.api().mergePatch(QUEUE, more).orThrow();
      await(6, 0);
      SCHEDULER.await("all of it is reserved", () -> reserved().equals("6"));
      replaceOne();
      scale(1);
      await(1, 0);
      SCHEDULER.await("the rest is given back", () -> reserved().equals("1"));

      assertThat(job().at("/status/startTime").asText()).isEqualTo(started).isNotEmpty();
      assertThat(workloads())
          .filteredOn(it -> !ApiClient.hasCondition(it, "Finished"))
          .singleElement()
          .satisfies(it -> assertThat(it.at("/spec/podSets/0/count").asInt()).isEqualTo(1));
      SchedulerBeside.stop(second);
    }
  }

  private static JsonNode onlyWorkload(String namespace) {
    List<JsonNode> all = items(Kueue.collection(WORKLOAD, HUB, namespace));
    return all.size() == 1 ? all.getFirst() : MissingNode.getInstance();
  }

  private static long givenBack(JsonNode workload) {
    return workload.at("/status/reclaimablePods/0/count").asLong();
  }

  /** Webhooks refuse to take back what was given back, but for an elastic Workload that shrank. */
  @Test
  void needsPodsAgainThatItGaveBackBeforeItShrank() throws IOException, InterruptedException {
    String namespace = "shrinking";
    String job = "/apis/batch/v1/namespaces/shrinking/jobs";
    String pods = "/api/v1/namespaces/shrinking/pods";
    CLUSTER.api().create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"shrinking\"}}").orThrow();
    Kueue.create(CLUSTER.api(), RESOURCE_FLAVOR, "", namespace, "{}").orThrow();
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, "", namespace, Kueue.clusterQueue(namespace, 5))
        .orThrow();
    Kueue.create(CLUSTER.api(), LOCAL_QUEUE, namespace, "lq", Kueue.localQueue(namespace))
        .orThrow();
    CLUSTER
        .api()
        .create(
            job,
            JOB.replace("\"parallelism\":2", "\"parallelism\":5")
                .replace("\"completions\":50", "\"completions\":5"))
        .orThrow();

    try (SluiceProcess scheduler = SCHEDULER.start()) {
      SCHEDULER.await(
          "five Pods may start",
          () ->
              items(pods).stream().filter(it -> it.at("/spec/schedulingGates").isEmpty()).count()
                  == 5);
      for (JsonNode pod : items(pods).subList(0, 2)) {
        String path = pods + "/" + pod.at("/metadata/name").asText() + "/status";
        CLUSTER.api().mergePatch(path, "{\"status\":{\"phase\":\"Succeeded\"}}").orThrow();
      }
      SCHEDULER.await("two are given back", () -> givenBack(onlyWorkload(namespace)) == 2);

      CLUSTER.api().mergePatch(job + "/j", "{\"spec\":{\"parallelism\":3}}").orThrow();

      SCHEDULER.await(
          "the three that are left have quota",
          () ->
              onlyWorkload(namespace).at("/spec/podSets/0/count").asInt() == 3
                  && givenBack(onlyWorkload(namespace)) == 0);
      SchedulerBeside.stop(scheduler);
    }
  }
}
