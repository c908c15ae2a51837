package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cli.installed.Printed;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Examinations of what is installed in a cluster. Its controllers are not there, so each test says
 * itself how far they have come.
 */
@FullTier
@NeedsControlPlane
@Timeout(600)
@SuppressWarnings("NullAway.Init") // set before all tests
class ServerDoctorE2E {
  private static final String SERVICE =
      "/api/v1" + InstalledServer.NAMESPACE + "services/sluice-webhook";
  private static final String ROLE =
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/sluice-webhook";
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(100);

  @TempDir private static Path folder;
  private static ControlPlane controlPlane;
  private static ApiClient api;
  private static InstalledServer server;

  @BeforeAll
  static void start() {
    controlPlane =
        ControlPlane.start(
            ControlPlane.Options.apiServer().withDirectory(folder.resolve("control-plane")));
    api = controlPlane.client();
    server = new InstalledServer(api);
  }

  @AfterAll
  static void stop() {
    controlPlane.close();
  }

  @BeforeEach
  void heal() {
    server.heal();
  }

  private static Examined doctor(String... more) {
    return Examined.by(new CommandLine(new DoctorCommand()), controlPlane.kubeconfig(), more);
  }

  @Test
  void saysWhatRunsWhoLeadsAndHowFarTheCertificatesAre() {
    Examined examined = doctor();

    assertThat(examined.of("deployment/sluice-webhook"))
        .containsExactly("ok: 2 of 2 replicas are ready", "ok: all containers run sluice:0.1.0");
    assertThat(examined.of("service sluice-system/sluice-webhook"))
        .containsExactly("ok: leads to 2 replicas that are ready");
    assertThat(examined.of("lease sluice-system/c1f6bfd2.kueue.x-k8s.io"))
        .containsExactly("ok: one leads");
    assertThat(examined.of("secret sluice-system/sluice-webhook-authority"))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith("ok: an authority is signing since "));
    assertThat(examined.of("rights of the server"))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith("ok: are as installed"));
    assertThat(examined.of("serviceaccount/sluice-see"))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith("ok: has its rights"));
    assertThat(examined.of("configuration"))
        .containsExactly("ok: can be read; feature gates: ConcurrentAdmission=true");
    assertThat(examined.of("job kind batch/job")).hasSize(1).allMatch(it -> it.startsWith("ok: "));
    assertThat(examined.of("job kind ray.io/rayjob"))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith("warning: is enabled, but"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 2, error: none of 2 replicas is ready",
    "1, 2, warning: 1 of 2 replicas are ready",
    "2, 1, warning: a rollout is under way: 1 of 2 are new"
  })
  void comparesTheReplicasWithThoseThatShouldBe(int ready, int updated, String finding) {
    server.status(ready, updated);

    assertThat(doctor().of("deployment/sluice-webhook")).contains(finding);
  }

  @Test
  void namesAPodWhoseProgramsAreOfDifferentVersionsOrGates() {
    api.jsonPatch(
            InstalledServer.DEPLOYMENT,
            """
            [{"op":"replace","path":"/spec/template/spec/containers/1/image","value":"sluice:9"},
            {"op":"replace","path":"/spec/template/spec/containers/1/args","value":["schedule"]}]\
            """)
        .orThrow();

    assertThat(doctor().of("deployment/sluice-webhook"))
        .contains(
            "error: its containers have different images: sluice:0.1.0, sluice:9",
            "error: its containers have different --feature-gates: a feature needs both programs",
            "error: its containers have different --config: a feature needs both programs");
  }

  @Test
  void namesAServiceThatLeadsNowhere() {
    api.delete(InstalledServer.SLICES + "/ready").orThrow();

    assertThat(doctor().of("service sluice-system/sluice-webhook"))
        .containsExactly("error: has no endpoint that is ready: nobody answers");
  }

  @Test
  void namesALeaderThatIsGone() {
    server.lease(Instant.now().minusSeconds(500));

    assertThat(doctor().of("lease sluice-system/c1f6bfd2.kueue.x-k8s.io"))
        .singleElement()
        .satisfies(
            it ->
                assertThat(it)
                    .startsWith("error: one led, and last renewed it 50")
                    .endsWith(" s ago: nothing is admitted"));
  }

  @ParameterizedTest
  @CsvSource({
    "introduced, -1, 100, 'warning: an authority is introduced'",
    "introduced, 0, 100, 'ok: an authority is introduced'",
    "signing, -100, -1, 'error: an authority is signing'",
    "retired, -1, 100, 'ok: an authority is retired'"
  })
  void saysWhetherAnAuthorityComesFurther(String stage, int since, int until, String finding) {
    server.authorities(
        "%s since %s until %s, serial 1".formatted(stage, server.at(since), server.at(until)));

    assertThat(doctor().of("secret sluice-system/sluice-webhook-authority"))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith(finding));
  }

  @Test
  void namesARightThatIsMissing() {
    api.jsonPatch(ROLE, "[{\"op\":\"remove\",\"path\":\"/rules/1/verbs/0\"}]").orThrow();
    Examined lacking = doctor();
    api.delete(ROLE).orThrow();
    Examined gone = doctor();

    assertThat(lacking.of("clusterrole/sluice-webhook"))
        .containsExactly(
            "error: differs from what is installed, lacks:"
                + " get,create,patch,delete mutatingwebhookconfigurations");
    assertThat(gone.of("clusterrole/sluice-webhook"))
        .containsExactly("error: is missing: the server lacks its rights");
  }

  @Test
  void namesABindingToAnotherRole() {
    String binding = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/sluice-scheduler";
    Printed.bindToAnotherRole(api, "sluice-scheduler");

    Examined examined = doctor();
    api.delete(binding).orThrow(); // no apply changes the role

    assertThat(examined.of("clusterrolebinding/sluice-scheduler"))
        .containsExactly("error: differs from what is installed, lacks: role sluice-scheduler");
  }

  @Test
  void namesACertificateOnceThatOneOfManyBundlesHasBesideOurs() throws Exception {
    String ours = bundle("ours");
    for (ApiKind kind : InstalledServer.converted()) {
      server.publish(kind, ours);
    }
    server.publish(ApiKind.TOPOLOGY, ours + bundle("foreign"));
    try {
      assertThat(doctor().of("caBundles"))
          .singleElement()
          .satisfies(
              it ->
                  assertThat(it)
                      .startsWith("warning: certificate ")
                      .contains(" is in 1 of ")
                      .endsWith("only in: crd/topologies.kueue.x-k8s.io"));
    } finally {
      for (ApiKind kind : InstalledServer.converted()) {
        server.publish(kind, "");
      }
    }
  }

  private static String bundle(String name) {
    return CertificateFolder.open(
            folder.resolve(name),
            List.of("localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom())
        .caBundlePem();
  }

  @Test
  void namesAConfigurationThatThisVersionCannotRead() {
    server.apply(
        "/api/v1" + InstalledServer.NAMESPACE + "configmaps/sluice-config",
        """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"sluice-config"},
        "data":{"config.yaml":"apiVersion: v9\\nkind: Configuration\\n"}}\
        """);

    assertThat(doctor().of("configuration")).isNotEmpty().allMatch(it -> it.startsWith("error: "));
  }

  @Test
  void namesAWebhookThatCanLockOutWhatTheServerNeeds() {
    server.register("{}");

    Examined examined = doctor();

    String webhook = "mutatingwebhookconfigurations/sluice-mutating mjob.kb.io";
    assertThat(examined.of(webhook))
        .contains(
            "error: also asks about namespace kube-system: while no server answers, none can be"
                + " started there",
            "error: also asks about namespace sluice-system: while no server answers, none can be"
                + " started there");

    server.register(
        """
        {"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn",
        "values":["kube-system","sluice-system"]}]}\
        """);
    assertThat(doctor().of(webhook)).noneMatch(it -> it.startsWith("error: also asks"));
  }

  @Test
  void deletesAWebhookConfigurationWhoseServerIsGoneOnlyIfAskedTo() {
    server.register("{}");
    doctor("--fix");
    assertThat(api.get(InstalledServer.MUTATING + "/sluice-mutating").isSuccess())
        .as("its Service is there")
        .isTrue();

    api.delete(SERVICE).orThrow();
    doctor();
    assertThat(api.get(InstalledServer.MUTATING + "/sluice-mutating").isSuccess())
        .as("not asked to")
        .isTrue();

    Examined examined = doctor("--fix");
    assertThat(examined.of("mutatingwebhookconfigurations/sluice-mutating"))
        .contains("ok: deleted, because its server was gone");
    assertThat(api.get(InstalledServer.MUTATING + "/sluice-mutating").status()).isEqualTo(404);
  }

  @Test
  void namesAnApiServiceThatIsNotAvailable() {
    String services = "/apis/apiregistration.k8s.io/v1/apiservices";
    String name = "v1beta2.visibility.kueue.x-k8s.io";
    api.create(
            services,
            """
            {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"%s"},
            "spec":{"group":"visibility.kueue.x-k8s.io","version":"v1beta2",
            "groupPriorityMinimum":100,"versionPriority":100,"insecureSkipTLSVerify":true,
            "service":{"namespace":"sluice-system","name":"visibility"}}}\
            """
                .formatted(name))
        .orThrow();
    try {
      assertThat(
              Poll.until(
                  SOON,
                  PAUSE,
                  () ->
                      doctor().of("apiservice/" + name).stream()
                          .anyMatch(it -> it.startsWith("error: is not available"))))
          .isTrue();
    } finally {
      api.delete(services + "/" + name).orThrow();
    }
  }

  @Test
  void greetsAForwardedServerByEachNameOfTheService() throws Exception {
    CertificateFolder certificates =
        CertificateFolder.open(
            folder.resolve("certificates"),
            List.of("sluice-webhook.sluice-system.svc"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    server.publish(ApiKind.TOPOLOGY, certificates.caBundlePem());
    try (TlsServer server = TlsServer.of(certificates.current())) {
      Examined examined = doctor("--address=127.0.0.1:" + server.port());

      assertThat(examined.of("sluice-webhook.sluice-system.svc"))
          .singleElement()
          .satisfies(it -> assertThat(it).startsWith("ok: handshake with the caBundle succeeds"));
      assertThat(examined.of("crd/topologies.kueue.x-k8s.io"))
          .anySatisfy(
              it ->
                  assertThat(it)
                      .startsWith("error: 127.0.0.1:" + server.port())
                      .contains("called sluice-webhook.sluice-system.svc.cluster.local"));
    }
  }
}
