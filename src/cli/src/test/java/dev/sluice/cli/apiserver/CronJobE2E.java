package dev.sluice.cli.apiserver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.testcluster.Nodes;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the controllers of Kubernetes make of our jobs: CronJob, Job, Deployment, StatefulSet. */
@FullTier
@NeedsControlPlane
@SuppressWarnings("NullAway.Init") // set before all tests
class CronJobE2E {
  private static final Duration A_MINUTE = Duration.ofSeconds(100); // until the next full one
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String BATCH = "/apis/batch/v1/namespaces/default/";
  private static final String APPS = "/apis/apps/v1/namespaces/default/";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String QUEUED = "\"labels\":{\"kueue.x-k8s.io/queue-name\":\"q\"}";
  private static final String CONTAINERS = "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]";

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static ApiClient api;

  @BeforeAll
  static void start() {
    api = CLUSTER.api();
    Nodes.create(api, "node-1", 64, Map.of()).orThrow();
  }

  @Test
  void theJobsOfACronJobComeUpSuspendedAndQueuedAndRunOnceTheyAreLetGo() {
    api.create(
            BATCH + "cronjobs",
            """
            {"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"cron"},"spec":{
            "schedule":"* * * * *","jobTemplate":{"metadata":{%s},"spec":{"template":{"spec":{
            "restartPolicy":"Never",%s}}}}}}\
            """
                .formatted(QUEUED, CONTAINERS))
        .orThrow();

    JsonNode job = first(BATCH + "jobs", A_MINUTE, it -> controller(it).equals("CronJob"));

    assertThat(job.at("/spec/suspend").asBoolean()).isTrue();
    assertThat(job.at("/metadata/labels").path("kueue.x-k8s.io/queue-name").asText())
        .isEqualTo("q");
    assertThat(pods(job)).isEmpty();

    String one = BATCH + "jobs/" + job.at("/metadata/name").asText();
    api.mergePatch(one, "{\"spec\":{\"suspend\":false}}").orThrow();
    api.await(one, SOON, it -> it.at("/status/succeeded").asInt() == 1);
    assertThat(api.get(PODS).json().toString()).doesNotContain("kueue.x-k8s.io/admission");
  }

  @Test
  void thePodsOfADeploymentAndOfAStatefulSetWait() {
    String object =
        """
        {"apiVersion":"apps/v1","kind":"%s","metadata":{"name":"%s",%s},"spec":{"replicas":1,
        "serviceName":"s","selector":{"matchLabels":{"app":"%s"}},"template":{"metadata":{
        "labels":{"app":"%s"}},"spec":{%s}}}}\
        """;
    api.create(
            APPS + "deployments",
            object
                .replace("\"serviceName\":\"s\",", "")
                .formatted("Deployment", "held", QUEUED, "held", "held", CONTAINERS))
        .orThrow();
    api.create(
            APPS + "statefulsets",
            object.formatted("StatefulSet", "kept", QUEUED, "kept", "kept", CONTAINERS))
        .orThrow();

    for (String owner : new String[] {"ReplicaSet", "StatefulSet"}) {
      JsonNode pod = first(PODS, SOON, it -> controller(it).equals(owner));

      assertThat(pod.at("/spec/schedulingGates").findValuesAsText("name"))
          .as(owner)
          .contains("kueue.x-k8s.io/admission");
      assertThat(pod.at("/metadata/annotations").has("kueue.x-k8s.io/role-hash")).isTrue();
    }
  }

  private static String controller(JsonNode object) {
    return object.at("/metadata/ownerReferences/0/kind").asText();
  }

  private static List<String> pods(JsonNode job) {
    return api.list(PODS, "batch.kubernetes.io/job-name=" + job.at("/metadata/name").asText())
        .json()
        .path("items")
        .findValuesAsText("name");
  }

  private static JsonNode first(String collection, Duration bound, Predicate<JsonNode> wanted) {
    JsonNode list = api.await(collection, bound, it -> find(it, wanted) != null).json();
    return requireNonNull(find(list, wanted));
  }

  private static @Nullable JsonNode find(JsonNode list, Predicate<JsonNode> wanted) {
    for (JsonNode item : list.path("items")) {
      if (wanted.test(item)) {
        return item;
      }
    }
    return null;
  }
}
