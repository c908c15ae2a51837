package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.scheduler.ControllerFactory;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.SchedulerOptions;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pods that cannot end because their nodes are unreachable. */
@FullTier
@NeedsControlPlane
@Timeout(300)
class FailureRecoveryE2E {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";
  private static final String UNREACHABLE =
      "{\"key\":\"node.kubernetes.io/unreachable\",\"effect\":\"NoExecute\"}";
  private static final Duration SOON = Duration.ofSeconds(90);

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  private static ApiClient api() {
    return CLUSTER.api();
  }

  private static void node(String name) {
    api()
        .create(
            "/api/v1/nodes",
            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\"}}")
        .orThrow();
    taint(name, "");
  }

  private static void taint(String node, String taints) {
    api().mergePatch("/api/v1/nodes/" + node, "{\"spec\":{\"taints\":[" + taints + "]}}").orThrow();
  }

  /** A running pod whose kubelet does not act on its deletion; its grace period is ten minutes. */
  private static void deletedPod(String name, String node, boolean allowed) {
    api()
        .create(
            PODS,
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s",
            "finalizers":["example.com/counted"],
            "annotations":{"kueue.x-k8s.io/safe-to-forcefully-delete":"%s"}},
            "spec":{"nodeName":"%s","terminationGracePeriodSeconds":600,
            "containers":[{"name":"c","image":"i"}]}}\
            """
                .formatted(name, allowed, node))
        .orThrow();
    api().mergePatch(PODS + "/" + name + "/status", "{\"status\":{\"phase\":\"Running\"}}");
    api().delete(PODS + "/" + name).orThrow();
  }

  private static JsonNode pod(String name) {
    return api().get(PODS + "/" + name).orThrow().json();
  }

  private static String phase(String pod) {
    return pod(pod).at("/status/phase").asText();
  }

  private static long grace(String pod) {
    return pod(pod).at("/metadata/deletionGracePeriodSeconds").asLong(-1);
  }

  /** A scheduler whose clock is that much ahead. */
  private static Scheduler start(Connection connection, Duration ahead) throws IOException {
    Configuration configuration =
        ConfigurationReader.excerpt(
            new ObjectMapper().readTree("{\"featureGates\":{\"FailureRecoveryPolicy\":true}}"));
    SchedulerOptions options =
        new SchedulerOptions(
            configuration,
            Extensions.DEFAULT,
            "test",
            Optional.empty(),
            SchedulerOptions.WRITERS,
            WatchTimes.EAGER,
            SchedulerOptions.APART);
    return Scheduler.start(
        connection,
        options,
        () -> Instant.now().plus(ahead),
        new SimpleMeterRegistry(),
        OpenTelemetry.noop(),
        () -> {},
        new Supervisor(),
        ControllerFactory.NONE);
  }

  @Test
  void goByForceWhereTheirOwnerAllowsItOnceTheirTimeIsOver() throws IOException {
    node("lost");
    node("well");
    taint("lost", UNREACHABLE);
    deletedPod("allowed", "lost", true);
    deletedPod("kept", "lost", false);
    deletedPod("reached", "well", true);

    try (Connection connection = Connection.to(CLUSTER.controlPlane().kubeconfig())) {
      // a minute less than they have
      try (Scheduler scheduler = start(connection, Duration.ofMinutes(10))) {
        await().atMost(SOON).until(scheduler::isLeader);
        taint("well", UNREACHABLE);
        taint("well", "");
        assertThat(phase("allowed")).isEqualTo("Running");
      }
      try (Scheduler scheduler = start(connection, Duration.ofMinutes(11).plusSeconds(1))) {
        await().atMost(SOON).until(scheduler::isLeader);
        await().atMost(SOON).until(() -> grace("allowed") == 0);

        // what was seen before anything was written, and is written of all alike
        assertThat(phase("kept")).isEqualTo("Running");
        assertThat(phase("reached")).isEqualTo("Running");
        assertThat(grace("kept")).isEqualTo(600);
        JsonNode ended = pod("allowed");
        assertThat(ended.at("/status/phase").asText()).isEqualTo("Failed");
        assertThat(ended.at("/status/conditions"))
            .filteredOn(it -> it.path("type").asText().equals("KueueFailureRecovery"))
            .singleElement()
            .satisfies(
                it -> {
                  assertThat(it.path("status").asText()).isEqualTo("True");
                  assertThat(it.path("reason").asText()).isEqualTo("KueueForcefullyDeleted");
                });
        await()
            .atMost(SOON)
            .until(
                () ->
                    api().get(EVENTS).orThrow().json().toString().contains("KueueForcefullyDelet"));

        taint("well", UNREACHABLE);
        await().atMost(SOON).until(() -> phase("reached").equals("Failed"));
        await().atMost(SOON).until(() -> grace("reached") == 0);
        assertThat(phase("kept")).isEqualTo("Running");
      }
    }
  }
}
