package dev.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.Installing;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.Nodes;
import dev.sluice.cli.testcluster.Pages;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ApiClient.Response;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process that is the webhook server and the scheduler of a cluster. */
@NeedsControlPlane
@Timeout(240)
class RunE2E {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String WORKLOADS = Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB);
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final Pattern PAGES = Pattern.compile("http://localhost:(\\d+)/healthz");

  @TempDir Path folder;

  @Test
  void holdsAJobAtAdmissionAdmitsItAndSeesItsEnd() throws Exception {
    try (var cluster = ControlPlane.start(ControlPlane.Options.wholeCluster())) {
      ApiClient api = cluster.client();
      int port = Ports.free();
      URI url = URI.create("https://127.0.0.1:" + port);
      Installing.into(api, Installation.into(new Target.Url(url)));
      try (var process = run(cluster, port)) {
        await(process, "a node", () -> isStored(Nodes.create(api, "n1", 8, Map.of())));
        await(process, "a queue", () -> queues(api));

        JsonNode created = job(process, api, "held");
        assertThat(created.at("/spec/suspend").asBoolean()).as("%s", created).isTrue();

        await(process, "its end", () -> is(api.get(JOBS + "/held"), "Complete"));
        await(process, "the workload's end", () -> isFinished(api));
        refusesAReservationBeyondWhatTheSchedulerKnows(process, api);
        assertThat(metrics(process))
            .contains("sluice_writes_seconds_count", "kueue_admitted_workloads_total")
            .contains("kind=\"Workload\"");
        assertThat(process.err())
            .doesNotContain(
                "ERROR", "A MeterRegistry is being added to this CompositeMeterRegistry");
      }
    }
  }

  @FullTier
  @Test
  void losesTheLeaseAndGoesOnToServeUntilItLeadsAgain() throws Exception {
    try (var cluster = ControlPlane.start(ControlPlane.Options.apiServer())) {
      ApiClient api = cluster.client();
      int port = Ports.free();
      URI url = URI.create("https://127.0.0.1:" + port);
      Installing.into(api, Installation.into(new Target.Url(url)));
      try (var process = run(cluster, port, "--config", quickLease().toString())) {
        await(process, "a queue", () -> queues(api));
        workload(api, "before");
        await(process, "a reservation", () -> is(api.get(WORKLOADS + "/before"), "Admitted"));

        String lease = leaseOf(api);
        takeAway(process, api, lease);
        await(process, "the loss", () -> process.err().contains("joining the election again"));
        api.get(Kueue.path(ApiKind.CLUSTER_QUEUE, ApiVersion.V1BETA1, "all"))
            .orThrow(); // converted
        assertThat(Pages.read(pagesPort(process), "/healthz")).isEqualTo("ok\n");
        assertThat(Pages.read(pagesPort(process), "/readyz")).startsWith("ready");

        api.delete(lease).orThrow();
        api.delete(WORKLOADS + "/before").orThrow();
        workload(api, "after");
        await(process, "the lead", () -> is(api.get(WORKLOADS + "/after"), "Admitted"));
        assertThat(process.hasEnded()).isFalse();
        assertThat(metrics(process))
            .contains("sluice_failures_total{part=\"engine\"} 0.0")
            .contains("sluice_writes_seconds_count");
      }
    }
  }

  /** A file with a Lease that is lost within seconds. */
  private Path quickLease() throws IOException {
    return Files.writeString(
        folder.resolve("config.yaml"),
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        leaderElection: {leaderElect: true, leaseDuration: 4s, renewDeadline: 3s, retryPeriod: 1s}
        """);
  }

  private static String leaseOf(ApiClient api) {
    String leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    for (JsonNode lease : api.get(leases).orThrow().json().path("items")) {
      String name = lease.at("/metadata/name").asText();
      if (name.contains("kueue")) {
        return leases + "/" + name;
      }
    }
    throw new AssertionError("no Lease: " + api.get(leases).body());
  }

  /** Another replica holds it from now on, for as long as the test takes. */
  private static void takeAway(SluiceProcess process, ApiClient api, String lease) {
    await(
        process,
        "the Lease",
        () ->
            api.mergePatch(
                    lease,
                    """
                    {"spec":{"holderIdentity":"another","leaseDurationSeconds":600}}\
                    """)
                .isSuccess());
  }

  private SluiceProcess run(ControlPlane cluster, int port, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(0, runArguments(cluster, port));
    return SluiceProcess.startFromClasses(folder, arguments.toArray(new String[0]));
  }

  private List<String> runArguments(ControlPlane cluster, int port) {
    return List.of(
        "run",
        "--kubeconfig",
        cluster.kubeconfig().toString(),
        "--port",
        Integer.toString(port),
        "--http-port",
        "0",
        "--data",
        folder.resolve("data").toString());
  }

  /** The API server may take a moment to trust the webhooks. */
  private static boolean queues(ApiClient api) {
    return isStored(Kueue.create(api, ApiKind.RESOURCE_FLAVOR, "plain", "{}"))
        && isStored(Kueue.create(api, ApiKind.CLUSTER_QUEUE, "all", Kueue.clusterQueue("plain", 1)))
        && isStored(Kueue.create(api, ApiKind.LOCAL_QUEUE, "jobs", Kueue.localQueue("all")));
  }

  private static boolean isStored(Response answer) {
    return answer.isSuccess() || answer.status() == 409;
  }

  /** The Job as the answer to its creation shows it: the scheduler may soon let it go. */
  private static JsonNode job(SluiceProcess process, ApiClient api, String name) {
    String job =
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{
        "kueue.x-k8s.io/queue-name":"jobs"}},"spec":{"template":{"spec":{"restartPolicy":"Never",
        "containers":[{"name":"c","image":"none","resources":{"requests":{"cpu":"1"}}}]}}}}\
        """
            .formatted(name);
    AtomicReference<Response> last = new AtomicReference<>(new Response(0, "no answer"));
    await(
        process,
        "a job",
        () -> {
          Response answer = api.create(JOBS, job);
          last.set(answer);
          return answer.status() == 201;
        });
    return last.get().json();
  }

  private static boolean isFinished(ApiClient api) {
    JsonNode items = api.get(WORKLOADS).orThrow().json().path("items");
    return items.size() == 1 && ApiClient.hasCondition(items.get(0), "Finished");
  }

  private static boolean is(Response answer, String condition) {
    return answer.isSuccess() && ApiClient.hasCondition(answer.json(), condition);
  }

  /** What the engine of the scheduler counts is what admission judges by. */
  private static void refusesAReservationBeyondWhatTheSchedulerKnows(
      SluiceProcess process, ApiClient api) throws IOException {
    workload(api, "first");
    await(process, "a reservation", () -> is(api.get(WORKLOADS + "/first"), "Admitted"));
    workload(api, "second");
    JsonNode admitted = api.get(WORKLOADS + "/first").orThrow().json();

    Response stolen =
        api.mergePatch(
            WORKLOADS + "/second/status",
            "{\"status\":{\"admission\":%s,\"conditions\":%s}}"
                .formatted(admitted.at("/status/admission"), admitted.at("/status/conditions")));

    assertThat(stolen.isSuccess()).as("%s", stolen).isFalse();
    assertThat(stolen.body()).contains("all", "cpu");
  }

  private static void workload(ApiClient api, String name) {
    Kueue.create(api, ApiKind.WORKLOAD, name, Kueue.workload("jobs", 1)).orThrow();
  }

  private static String metrics(SluiceProcess process) throws IOException, InterruptedException {
    return Pages.read(pagesPort(process), "/metrics");
  }

  private static int pagesPort(SluiceProcess process) {
    Matcher pages = PAGES.matcher(process.out());
    assertThat(pages.find()).as(process.out()).isTrue();
    return Integer.parseInt(pages.group(1));
  }

  private static void await(SluiceProcess process, String what, BooleanSupplier condition) {
    assertThat(Poll.until(SOON, PAUSE, condition)).as(() -> what + "\n" + process.err()).isTrue();
  }
}
