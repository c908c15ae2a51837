package dev.sluice.cli.installed;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Sluice;
import dev.sluice.cli.schedule.SchedulerBeside;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A shadow beside another scheduler. Kueue is not at hand: the other one is ours, with which all is
 * the same, and then a hand that writes what we would not.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
class ShadowE2E {
  private static final int WORKLOADS = 20;
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Pattern PAGES = Pattern.compile("health and metrics on (http://\\S+)");
  private static final String USER = "system:serviceaccount:default:shadow";
  private static final AuditLog AUDIT = AuditLog.inNewFolder(AuditLog.policy(List.of(USER)));

  @RegisterExtension
  private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServerWith(AUDIT.flags());

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  /** May read everything and write nothing. */
  private Path reader() throws IOException {
    ApiClient api = CLUSTER.api();
    api.create("/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"shadow\"}}")
        .orThrow();
    api.create(
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            """
            {"metadata":{"name":"shadow"},"rules":[{"apiGroups":["*"],"resources":["*"],
            "verbs":["get","list","watch"]}]}\
            """)
        .orThrow();
    api.create(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            """
            {"metadata":{"name":"shadow"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",
            "kind":"ClusterRole","name":"shadow"},"subjects":[{"kind":"ServiceAccount",
            "namespace":"default","name":"shadow"}]}\
            """)
        .orThrow();
    return Printed.kubeconfig(
        CLUSTER.controlPlane(),
        api.serviceAccountToken("default", "shadow"),
        folder.resolve("shadow.kubeconfig"));
  }

  private void await(String what, BooleanSupplier condition) {
    assertThat(Poll.until(SOON, PAUSE, condition)).as(() -> what + "\n" + err).isTrue();
  }

  private long counted(String result) {
    Matcher pages = PAGES.matcher(err.toString());
    if (!pages.find()) {
      return -1;
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      String metrics =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(pages.group(1) + "/metrics")).build(),
                  BodyHandlers.ofString())
              .body();
      Matcher line =
          Pattern.compile("sluice_shadow_decisions_total\\{result=\"" + result + "\"} ([0-9.]+)")
              .matcher(metrics);
      return line.find() ? (long) Double.parseDouble(line.group(1)) : -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void workload(String name, String queue, int cpu) {
    Kueue.create(CLUSTER.api(), WORKLOAD, name, Kueue.workload(queue, cpu)).orThrow();
  }

  private static boolean isAdmitted(String name) {
    return ApiClient.hasCondition(
        CLUSTER.api().get(Kueue.path(WORKLOAD, HUB, name)).orThrow().json(), "Admitted");
  }

  private static void reserveByHand(String name, String queue, int cpu) {
    String since = "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"";
    CLUSTER
        .api()
        .mergePatch(
            Kueue.path(WORKLOAD, HUB, name) + "/status",
            """
            {"status":{"admission":{"clusterQueue":"%1$s","podSetAssignments":[{"name":"main",
            "flavors":{"cpu":"f"},"resourceUsage":{"cpu":"%2$d"},"count":1}]},"conditions":[
            {"type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",%3$s},
            {"type":"Admitted","status":"True","reason":"Admitted","message":"",%3$s}]}}\
            """
                .formatted(queue, cpu, since))
        .orThrow();
  }

  @Test
  void ourSchedulerDecidesTheSameAndAHandThatWritesOtherwiseIsFound() throws Exception {
    Kueue.create(CLUSTER.api(), RESOURCE_FLAVOR, "f", "{}").orThrow();
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, "q", Kueue.clusterQueue("f", 4)).orThrow();
    Kueue.create(CLUSTER.api(), LOCAL_QUEUE, "q", Kueue.localQueue("q")).orThrow();
    SchedulerBeside other = new SchedulerBeside(CLUSTER, "");
    other.start();
    Path scenarios = folder.resolve("scenarios");
    Path kubeconfig = reader();
    FutureTask<Integer> shadow =
        new FutureTask<>(
            () ->
                Sluice.commandLine()
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(
                        "shadow",
                        "--kubeconfig=" + kubeconfig,
                        "--for=1h",
                        "--grace=20s", // a busy machine stands still for seconds
                        "--http-port=0",
                        "--scenarios=" + scenarios,
                        "-o=json"));
    workload("first", "q", 4);
    await("the other one leads", () -> isAdmitted("first"));
    CLUSTER.api().delete(Kueue.path(WORKLOAD, HUB, "first")).orThrow();
    Thread command = Thread.ofPlatform().name("shadow").start(shadow);
    await("it compares", () -> err.toString().contains("comparing until"));

    List<String> waiting = new ArrayList<>();
    for (int i = 0; i < WORKLOADS; i++) {
      waiting.add("w" + i);
      workload("w" + i, "q", 1 + i % 2);
    }
    while (!waiting.isEmpty()) {
      await("some are admitted", () -> waiting.stream().anyMatch(ShadowE2E::isAdmitted));
      List<String> admitted = waiting.stream().filter(ShadowE2E::isAdmitted).toList();
      admitted.forEach(it -> CLUSTER.api().delete(Kueue.path(WORKLOAD, HUB, it)).orThrow());
      waiting.removeAll(admitted);
    }
    await("all are the same", () -> counted("same") == WORKLOADS);
    other.end();

    String important = Kueue.workload("q", 4).replaceFirst("\\{", "{\"priority\":10,");
    Kueue.create(CLUSTER.api(), WORKLOAD, "large", important).orThrow();
    workload("small", "q", 3);
    await("somebody is left", () -> counted("sooner") == 1);
    reserveByHand("small", "q", 3);
    await("the order was not kept", () -> counted("later") == 1);
    await("files are written", () -> files(scenarios).size() == 2);
    command.interrupt();

    assertThat(shadow.get(SOON.toSeconds(), TimeUnit.SECONDS)).as(err::toString).isEqualTo(1);
    JsonNode report = new JsonMapper().readTree(out.toString());
    assertThat(report.path("decisions").asInt()).as("%s", report).isEqualTo(WORKLOADS + 2);
    assertThat(report.at("/results/same").asInt()).isEqualTo(WORKLOADS);
    assertThat(report.path("first").findValuesAsText("name"))
        .containsExactlyInAnyOrder("large", "small");
    Commands.Ran tested = Commands.run("test", scenarios.toString());
    assertThat(tested.code()).as(tested.out() + tested.err()).isZero();
    assertThat(AUDIT.used(USER))
        .as("it only reads")
        .isNotEmpty()
        .allMatch(it -> Set.of("get", "list", "watch").contains(it.verb()));
  }

  private static List<Path> files(Path scenarios) {
    try (Stream<Path> all = Files.list(scenarios)) {
      return all.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
