package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cli.testcluster.Pages;
import dev.sluice.controlplane.Ports;
import dev.sluice.manifests.Manifests;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Examinations of a real cluster, in which something is wrong each time. */
@FullTier
@NeedsControlPlane
@SuppressWarnings("NullAway.Init") // set before each test
final class DoctorE2E {
  private static final Pattern COUNT =
      Pattern.compile(
          "sluice_conversion_object_bytes_count\\{from=\"(.*?)\",kind=\"(.*?)\",result=\"success\","
              + "to=\"(.*?)\"\\} (\\S+)");

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private ExaminedCluster cluster;

  @BeforeEach
  void heal() {
    cluster = new ExaminedCluster(CLUSTER);
    cluster.heal();
  }

  /** The Lease tells what the scheduler plans; the registration tells what is suspended. */
  @Test
  void warnsOfAJobKindThatIsSuspendedAndThatTheSchedulerDoesNotPlan(@TempDir Path folder)
      throws IOException {
    String leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    cluster
        .api()
        .create(
            leases,
            """
            {"metadata":{"name":"c1f6bfd2.kueue.x-k8s.io","annotations":{
            "sluice.dev/scheduled-job-kinds":"pod",
            "sluice.dev/scheduler-feature-gates":"ConcurrentAdmission=true"}}}\
            """)
        .orThrow();
    Path file = folder.resolve("config.yaml");
    Files.writeString(
        file,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        integrations: {frameworks: [pod]}
        """);
    try {
      Examined examined = cluster.doctor(CLUSTER.controlPlane().kubeconfig(), "--config=" + file);

      assertThat(examined.code()).isZero();
      assertThat(examined.findings("warning"))
          .extracting(it -> it.path("seen").asText())
          .contains(
              "job kind batch/job is on for admission only: its jobs are suspended, and nothing"
                  + " starts them",
              "feature gate ConcurrentAdmission=true is set for the scheduler only");
    } finally {
      cluster.api().delete(leases + "/c1f6bfd2.kueue.x-k8s.io").orThrow();
    }
  }

  @Test
  void saysWhichEnabledJobKindsTheClusterServes(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(
        file,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        integrations:
          frameworks: [batch/job, ray.io/rayjob]
        """);

    Examined examined = cluster.doctor(CLUSTER.controlPlane().kubeconfig(), "--config=" + file);

    assertThat(examined.findings("ok"))
        .anySatisfy(it -> assertThat(it.path("object").asText()).isEqualTo("job kind batch/job"));
    assertThat(examined.findings("warning"))
        .anySatisfy(
            it -> {
              assertThat(it.path("object").asText()).isEqualTo("job kind ray.io/rayjob");
              assertThat(it.path("seen").asText()).contains("does not serve RayJob");
            });
  }

  @Test
  void findsNothingWrongWithAHealthyCluster() {
    Examined examined = cluster.doctor();

    assertThat(examined.findings("warning", "error")).isEmpty();
    assertThat(examined.code()).isZero();
    assertThat(examined.out()).contains("6 version pairs converted", "serves v1alpha1");
  }

  /**
   * Also with no object stored; besides it asks the converter itself, so that each counts twice.
   */
  @Test
  void hasTheApiServerConvertEveryKindBetweenEveryTwoVersions() throws Exception {
    Map<String, Integer> before = conversions();

    Examined examined = cluster.doctor();

    Map<String, Integer> after = conversions();
    for (ApiKind kind : ApiKind.values()) {
      int versions = kind.versions().size();
      assertThat(examined.findings("ok"))
          .anySatisfy(
              finding -> {
                assertThat(finding.path("object").asText()).isEqualTo(kind.plural());
                assertThat(finding.path("seen").asText())
                    .isEqualTo(
                        versions * (versions - 1) + " version pairs pass through the API server");
              });
      if (isConvertedByUs(kind)) {
        for (String pair : pairs(kind)) {
          assertThat(after.getOrDefault(pair, 0) - before.getOrDefault(pair, 0))
              .as(pair)
              .isGreaterThanOrEqualTo(2);
        }
      }
    }
  }

  private static boolean isConvertedByUs(ApiKind kind) {
    return new Manifests().crd(kind).at("/spec/conversion/strategy").asText().equals("Webhook");
  }

  private static List<String> pairs(ApiKind kind) {
    return kind.versions().stream()
        .flatMap(
            from ->
                kind.versions().stream()
                    .filter(to -> to != from)
                    .map(to -> kind + " " + from + " " + to))
        .toList();
  }

  /** How many objects our server converted so far, by kind and versions. */
  private static Map<String, Integer> conversions() throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    COUNT
        .matcher(Pages.read(CLUSTER.server().httpPort(), "/metrics"))
        .results()
        .forEach(
            line ->
                counts.put(
                    line.group(2) + " " + line.group(1) + " " + line.group(3),
                    (int) Double.parseDouble(line.group(4))));
    return counts;
  }

  @ParameterizedTest
  @CsvSource({"PT10M, 1, error", "-PT10M, 1, error", "PT2M, 0, warning", "PT0S, 0, ok"})
  void comparesTheClockWithThatOfTheApiServer(Duration ahead, int code, String level) {
    InstantSource clock = () -> Instant.now().plus(ahead);

    Examined examined =
        Examined.by(new CommandLine(new DoctorCommand(clock)), CLUSTER.controlPlane().kubeconfig());

    assertThat(examined.code()).isEqualTo(code);
    assertThat(examined.findings(level))
        .filteredOn(finding -> finding.path("object").asText().equals("clock"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("remedy").asText().contains("NTP"))
                    .isEqualTo(!level.equals("ok")));
  }

  @Test
  void sendsToMigrateWhatMayBeStoredAtOldVersions() {
    cluster.storedVersions("\"v1alpha1\",\"v1beta2\"");

    Examined examined = cluster.doctor();

    assertThat(examined.code()).isZero();
    assertThat(examined.findings("warning"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("remedy").asText())
                    .startsWith("sluice migrate --kind Topology --kubeconfig "));
  }

  @Test
  void seesThatNobodyAnswersConversions() {
    cluster.install(URI.create("https://127.0.0.1:" + Ports.free()));

    Examined examined = cluster.doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(
            finding -> {
              assertThat(finding.path("seen").asText())
                  .contains("at v1alpha1", "connection refused");
              assertThat(finding.path("remedy").asText()).contains("sluice serve");
            });
    assertThat(examined.findings("warning"))
        .anySatisfy(
            finding ->
                assertThat(finding.path("seen").asText()).contains("cannot be reached from here"));
  }

  @Test
  void hasOneFindingWhenTheApiServerIsDown() throws IOException {
    Examined examined =
        cluster.doctor(cluster.kubeconfig("https://127.0.0.1:" + Ports.free(), "any"));

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("ok", "warning", "error"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.path("seen").asText()).contains("cannot be reached");
              assertThat(finding.path("remedy").asText()).isNotEmpty();
            });
  }

  @Test
  void hasOneFindingWhenTheApiServerDoesNotKnowTheUser() throws IOException {
    Examined examined =
        cluster.doctor(cluster.kubeconfig(CLUSTER.controlPlane().server().toString(), "of-nobody"));

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("ok", "warning", "error"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("seen").asText())
                    .contains("does not accept the credentials"));
  }

  @Test
  void saysWhatItMayNotLookAt() throws IOException {
    Path anonymous = cluster.kubeconfig(CLUSTER.controlPlane().server().toString(), "");

    Examined examined = cluster.doctor(anonymous);

    assertThat(examined.findings("error")).isEmpty();
    assertThat(examined.findings("warning"))
        .hasSizeGreaterThan(ApiKind.values().length)
        .allSatisfy(finding -> assertThat(finding.path("remedy").asText()).contains("rights"));
  }
}
