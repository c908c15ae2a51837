package dev.sluice.cli.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.testcluster.Nodes;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The pod guard with the Job controller of Kubernetes, and with one that makes too many pods. */
@FullTier
@NeedsControlPlane
@SuppressWarnings("NullAway.Init") // set before all tests
class PodGuardE2E {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration AFTER_A_STORM = Duration.ofMinutes(4);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int KILLS = 10;

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static ApiClient api;

  @BeforeAll
  static void start() {
    api = CLUSTER.api();
    Nodes.create(api, "p1-node", 64, Map.of("pool", "p1")).orThrow();
  }

  @Test
  void refusesThePodsOfAControllerThatCannotCount() {
    JsonNode job = runningJob("surplus", "\"parallelism\":2", "\"simulated/run-forever\":\"yes\"");
    await("two pods", () -> alive(job) == 2);

    ApiClient.Response third = api.create(PODS, pod(job));

    assertThat(third.status()).isEqualTo(403);
    assertThat(third.body()).contains("Job surplus has 2 live pods at a parallelism of 2");

    api.delete(PODS + "/" + pods(job).getFirst().at("/metadata/name").asText()).orThrow();
    await("a replacement", () -> alive(job) == 2);

    api.mergePatch(JOBS + "/surplus", "{\"spec\":{\"suspend\":true}}").orThrow();
    await("a refusal", () -> api.create(PODS, pod(job)).body().contains("is suspended"));
  }

  @Test
  void aJobWhosePodsAreDeletedNeverExceedsItsNumbersWhileItsControllerIsKilledTenTimes()
      throws Exception {
    JsonNode job =
        runningJob("stormy", "\"parallelism\":3,\"completions\":12,\"backoffLimit\":100", "");
    try (var seen = new PodLog(job)) {
      for (int kill = 0; kill < KILLS; kill++) {
        await("a pod", () -> alive(job) > 0 || isComplete("stormy"));
        if (kill % 4 == 0) { // each counts as a failure, after which the controller waits longer
          firstAlive(job).ifPresent(name -> api.delete(PODS + "/" + name));
        }
        api.create(PODS, pod(job)); // one more attempt to make too many: whatever the answer
        CLUSTER.controlPlane().killAndRestart(Part.KUBE_CONTROLLER_MANAGER);
      }
      assertThat(Poll.until(AFTER_A_STORM, PAUSE, () -> isComplete("stormy"))).isTrue();
      await("all pods to be seen", () -> alive(job) == 0 && seen.alive.isEmpty());

      assertThat(seen.mostAlive).isBetween(1, 3);
      assertThat(seen.succeeded).hasSize(12);
    }
  }

  /** What a watch shows of a Job's pods: how many lived at a time, and which succeeded. */
  private static final class PodLog implements AutoCloseable {
    private final InputStream events;
    private final Set<String> alive = ConcurrentHashMap.newKeySet();
    private final Set<String> succeeded = ConcurrentHashMap.newKeySet();
    private volatile int mostAlive;

    PodLog(JsonNode job) {
      events =
          api.open(
              PODS
                  + "?watch=1&labelSelector=batch.kubernetes.io/controller-uid%3D"
                  + job.at("/metadata/uid").asText());
      Thread.ofVirtual().start(this::read);
    }

    private void read() {
      var json = new JsonMapper();
      try (var lines = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          see(json.readTree(line));
        }
      } catch (IOException e) {
        return; // closed
      }
    }

    private void see(JsonNode event) {
      JsonNode pod = event.path("object");
      String uid = pod.at("/metadata/uid").asText();
      String phase = pod.at("/status/phase").asText();
      if (phase.equals("Succeeded")) {
        succeeded.add(uid);
      }
      boolean lives = !event.path("type").asText().equals("DELETED") && PodGuardE2E.isAlive(pod);
      boolean changed = lives ? alive.add(uid) : alive.remove(uid);
      if (changed) {
        mostAlive = Math.max(mostAlive, alive.size());
      }
    }

    @Override
    public void close() throws IOException {
      events.close(); // which ends the reader
    }
  }

  /** A queued Job is created suspended; here a user unsuspends it. */
  private static JsonNode runningJob(String name, String numbers, String annotations) {
    String job =
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s",
        "labels":{"kueue.x-k8s.io/queue-name":"any"}},
        "spec":{%s,"template":{"metadata":{"annotations":{%s}},"spec":{"restartPolicy":"Never",
        "containers":[{"name":"main","image":"none"}]}}}}
        """
            .formatted(name, numbers, annotations);
    JsonNode created = api.create(JOBS, job).orThrow().json();
    assertThat(created.at("/spec/suspend").asBoolean()).isTrue();
    return api.mergePatch(JOBS + "/" + name, "{\"spec\":{\"suspend\":false}}").orThrow().json();
  }

  private static String pod(JsonNode job) {
    return """
    {"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"rogue-",
    "labels":{"batch.kubernetes.io/controller-uid":"%1$s","controller-uid":"%1$s",
    "batch.kubernetes.io/job-name":"%2$s","job-name":"%2$s"},
    "finalizers":["batch.kubernetes.io/job-tracking"],
    "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"%2$s","uid":"%1$s",
    "controller":true,"blockOwnerDeletion":true}]},
    "spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"none"}]}}
    """
        .formatted(job.at("/metadata/uid").asText(), job.at("/metadata/name").asText());
  }

  private static List<JsonNode> pods(JsonNode job) {
    JsonNode items =
        api.list(PODS, "batch.kubernetes.io/controller-uid=" + job.at("/metadata/uid").asText())
            .orThrow()
            .json()
            .path("items");
    return items.valueStream().filter(PodGuardE2E::isAlive).toList();
  }

  private static int alive(JsonNode job) {
    return pods(job).size();
  }

  private static Optional<String> firstAlive(JsonNode job) {
    return pods(job).stream().map(pod -> pod.at("/metadata/name").asText()).findFirst();
  }

  private static boolean isAlive(JsonNode pod) {
    return pod.at("/metadata/deletionTimestamp").isMissingNode()
        && !Set.of("Succeeded", "Failed").contains(pod.at("/status/phase").asText());
  }

  private static boolean isComplete(String job) {
    return ApiClient.hasCondition(api.get(JOBS + "/" + job).orThrow().json(), "Complete");
  }

  private static void await(String what, java.util.function.BooleanSupplier condition) {
    assertThat(Poll.until(SOON, PAUSE, condition)).as(what).isTrue();
  }
}
