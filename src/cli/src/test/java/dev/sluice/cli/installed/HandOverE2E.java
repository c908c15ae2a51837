package dev.sluice.cli.installed;

import static dev.sluice.cli.installed.KueueStandIn.uid;
import static dev.sluice.cli.installed.TeamNamespace.FOREVER;
import static dev.sluice.cli.installed.TeamNamespace.JOBS;
import static dev.sluice.cli.installed.TeamNamespace.KUEUE;
import static dev.sluice.cli.installed.TeamNamespace.WORKLOADS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.cli.Commands;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sluice is installed over what Kueue left, as the page about moving says, and Kueue over what
 * Sluice left. Nothing is drained: what runs goes on, and what waits is admitted.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
class HandOverE2E {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String PODS = "/api/v1/namespaces/team/pods";
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  @TempDir private Path folder;
  private List<String> podsBefore = List.of();
  private JsonNode before = MissingNode.getInstance();

  private static void await(Installed installed, String what, BooleanSupplier condition) {
    assertThat(Poll.until(SOON, PAUSE, condition))
        .as(
            () ->
                "%s\n%s\n%s\n%s\n%s"
                    .formatted(
                        what,
                        installed.audit().refused(),
                        installed.webhook().tail(),
                        installed.scheduler().tail(),
                        installed.api().get(WORKLOADS).body()))
        .isTrue();
  }

  /** Two cpu are in use, one is left, and two Jobs want one each. */
  private void leaveWhatKueueLeaves(ApiClient api) throws Exception {
    KueueStandIn kueue = new KueueStandIn(api);
    kueue.install();
    TeamNamespace team = new TeamNamespace(api);
    team.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"team\"}}");
    team.node("plain-1", "plain");
    team.ours(
        "resourceflavors", "ResourceFlavor", "plain", "{\"nodeLabels\":{\"pool\":\"plain\"}}");
    team.queue("plain", "plain", 3, "");
    for (String used : List.of("resourceflavors/plain", "clusterqueues/plain")) {
      api.mergePatch(
              KUEUE + used + "?fieldManager=kueue",
              "{\"metadata\":{\"finalizers\":[\"kueue.x-k8s.io/resource-in-use\"]}}")
          .orThrow();
    }
    team.job("running", "plain", TeamNamespace.jobSpec(2, "1", FOREVER));
    kueue.compose("running");
    kueue.admit("running");
    assertThat(Poll.until(SOON, PAUSE, () -> running(api) == 2)).as("its pods run").isTrue();
    team.job("waiting", "plain", TeamNamespace.jobSpec(1, "1", FOREVER));
    kueue.compose("waiting");
    kueue.leaveWaiting("waiting");
    String unseen = TeamNamespace.jobSpec(1, "1", FOREVER).replace("\"suspend\":true,", "");
    team.job("unseen", "plain", unseen); // nobody suspends it
    podsBefore = pods(api).stream().map(KueueStandIn::uid).toList();
    before = team.workloadsOf("running").getFirst();
  }

  private static List<JsonNode> pods(ApiClient api) {
    return api.list(PODS, "batch.kubernetes.io/job-name=running")
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .toList();
  }

  private static long running(ApiClient api) {
    return pods(api).stream()
        .filter(pod -> pod.at("/status/phase").asText().equals("Running"))
        .count();
  }

  private static boolean isStarted(ApiClient api, String job) {
    return !api.get(JOBS + "/" + job).orThrow().json().at("/spec/suspend").asBoolean();
  }

  @Test
  void jobsOfKueueGoOnUnderSluiceAndThoseOfSluiceUnderKueue() throws Exception {
    try (Installed installed =
        new Installed(
            folder,
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            integrations:
              frameworks: [batch/job]
            """,
            this::leaveWhatKueueLeaves)) {
      ApiClient api = installed.api();
      TeamNamespace team = new TeamNamespace(api);
      await(installed, "the kinds are served", () -> isServed(api));
      await(installed, "what waited is admitted", () -> team.is("waiting", "Admitted"));
      await(installed, "and started", () -> isStarted(api, "waiting"));
      await(installed, "what nobody has admitted is suspended", () -> !isStarted(api, "unseen"));
      await(installed, "quota in use is counted", () -> reserved(api).equals("3"));
      JsonNode after = team.workloadsOf("running").getFirst();
      assertThat(uid(after)).isEqualTo(uid(before));
      assertThat(after.at("/status/admission"))
          .as("%s", after)
          .isEqualTo(before.at("/status/admission"));
      assertThat(ApiClient.hasCondition(after, "Evicted")).as("%s", after).isFalse();
      assertThat(isStarted(api, "running")).isTrue();
      assertThat(pods(api).stream().map(KueueStandIn::uid)).containsExactlyElementsOf(podsBefore);

      api.mergePatch(WORKLOADS + "/job-running", "{\"spec\":{\"active\":false}}").orThrow();
      await(installed, "what Kueue admitted gives quota back", () -> !isStarted(api, "running"));
      await(installed, "which another gets", () -> team.is("unseen", "Admitted"));
      await(installed, "and starts", () -> isStarted(api, "unseen"));

      await(installed, "the server has registered itself", () -> isRegistered(api));
      goBack(installed, team);
    }
  }

  /** The API server rebuilds the storage of a CRD after a change. */
  private static boolean isServed(ApiClient api) {
    return api.get(WORKLOADS).isSuccess() && api.get(KUEUE + "clusterqueues").isSuccess();
  }

  private static boolean isRegistered(ApiClient api) {
    return Stream.of("mutating", "validating")
        .allMatch(
            it -> api.get(REGISTRATION + it + "webhookconfigurations/sluice-" + it).isSuccess());
  }

  private static String reserved(ApiClient api) {
    return api.get(KUEUE + "clusterqueues/plain")
        .orThrow()
        .json()
        .at("/status/flavorsReservation/0/resources/0/total")
        .asText();
  }

  private void goBack(Installed installed, TeamNamespace team) throws Exception {
    ApiClient api = installed.api();
    KueueStandIn kueue = new KueueStandIn(api);
    installed.scheduler().close();
    installed.webhook().close();
    team.ours(
        "multikueueclusters",
        "MultiKueueCluster",
        "worker",
        "{\"clusterSource\":{\"kubeConfig\":{\"locationType\":\"Secret\",\"location\":\"worker\"}}}");
    api.mergePatch(
            KUEUE + "multikueueclusters/worker",
            "{\"metadata\":{\"finalizers\":[\"sluice.dev/multikueue-cleanup\"]}}")
        .orThrow();
    for (String ours : List.of("mutating", "validating")) {
      api.delete(REGISTRATION + ours + "webhookconfigurations/sluice-" + ours).orThrow();
    }
    Commands.Ran handed =
        Commands.run("migrate", "--hand-back", "--kubeconfig=" + installed.kubeconfig());
    assertThat(handed.code()).as(handed.out() + handed.err()).isZero();
    assertThat(handed.out()).contains("released 1 MultiKueueClusters");
    api.delete(KUEUE + "multikueueclusters/worker").orThrow();
    assertThat(api.get(KUEUE + "multikueueclusters/worker").status())
        .as("nobody of us is left to let it go")
        .isEqualTo(404);
    kueue.reinstall();
    await(installed, "the kinds are served again", () -> isServed(api));

    for (String job : List.of("waiting", "unseen")) {
      JsonNode workload = team.workloadsOf(job).getFirst();
      JsonNode owner = kueue.job(job);
      assertThat(KueueStandIn.identity(workload))
          .containsExactly(uid(owner), "true", uid(owner), "kueue.x-k8s.io/resource-in-use");
      assertThat(owner.at("/spec/template/spec/nodeSelector/pool").asText()).isEqualTo("plain");
      assertThat(workload.at("/status/admission/clusterQueue").asText()).isEqualTo("plain");

      kueue.release(workload);

      assertThat(team.workloadsOf(job).getFirst().at("/status/admission").isMissingNode())
          .as("%s: what Kueue leaves out of its apply is gone", job)
          .isTrue();
    }
  }
}
