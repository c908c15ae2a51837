package dev.sluice.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cli.installed.Printed;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.ServerConfiguration;
import dev.sluice.manifests.Target;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
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
  private static final String NAMESPACE = "/namespaces/sluice-system/";
  private static final String DEPLOYMENT =
      "/apis/apps/v1" + NAMESPACE + "deployments/sluice-webhook";
  private static final String SLICES = "/apis/discovery.k8s.io/v1" + NAMESPACE + "endpointslices";
  private static final String LEASES = "/apis/coordination.k8s.io/v1" + NAMESPACE + "leases";
  private static final String SECRETS = "/api/v1" + NAMESPACE + "secrets";
  private static final String SERVICE = "/api/v1" + NAMESPACE + "services/sluice-webhook";
  private static final String ROLE =
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/sluice-webhook";
  private static final String CRD =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/topologies.kueue.x-k8s.io";
  private static final String MUTATING =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
  private static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      integrations:
        frameworks: [batch/job, ray.io/rayjob]
      """;
  private static final Installation INSTALLATION =
      Installation.into(Target.Service.DEFAULT)
          .configuredBy(new ServerConfiguration(CONFIGURATION, "ConcurrentAdmission=true"));
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(100);

  @TempDir private static Path folder;
  private static ControlPlane controlPlane;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    controlPlane =
        ControlPlane.start(
            ControlPlane.Options.apiServer().withDirectory(folder.resolve("control-plane")));
    api = controlPlane.client();
  }

  @AfterAll
  static void stop() {
    controlPlane.close();
  }

  /** As installed, with two replicas that are ready, one of which leads. */
  @BeforeEach
  void heal() {
    List<JsonNode> documents = List.copyOf(INSTALLATION.documents());
    api.delete(DEPLOYMENT);
    Printed.apply(api, documents);
    status(2, 2);
    apply(
        SLICES + "/ready",
        """
        {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4",
        "metadata":{"name":"ready","labels":{"kubernetes.io/service-name":"sluice-webhook"}},
        "ports":[{"name":"https","port":9443}],"endpoints":[
        {"addresses":["10.0.0.1"],"conditions":{"ready":true}},
        {"addresses":["10.0.0.2"],"conditions":{"ready":true}}]}\
        """);
    lease(Instant.now());
    authorities("signing since %s until %s, serial 1".formatted(at(-1), at(100)));
    api.delete(MUTATING + "/sluice-mutating");
  }

  private static void apply(String path, String body) {
    api.serverSideApply(path, "test", body).orThrow();
  }

  private static void status(int ready, int updated) {
    api.mergePatch(
            DEPLOYMENT + "/status",
            "{\"status\":{\"replicas\":2,\"readyReplicas\":%d,\"updatedReplicas\":%d}}"
                .formatted(ready, updated))
        .orThrow();
  }

  private static void lease(Instant renewed) {
    apply(
        LEASES + "/c1f6bfd2.kueue.x-k8s.io",
        """
        {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
        "metadata":{"name":"c1f6bfd2.kueue.x-k8s.io"},"spec":{"holderIdentity":"one",
        "leaseDurationSeconds":60,"renewTime":"%s"}}\
        """
            .formatted(renewed.truncatedTo(java.time.temporal.ChronoUnit.MICROS)));
  }

  private static void authorities(String text) {
    apply(
        SECRETS + "/sluice-webhook-authority",
        """
        {"apiVersion":"v1","kind":"Secret","metadata":{"name":"sluice-webhook-authority",
        "annotations":{"sluice.dev/authorities":"%s"}}}\
        """
            .formatted(text));
  }

  private static String at(int days) {
    return Instant.ofEpochSecond(Instant.now().plus(Duration.ofDays(days)).getEpochSecond())
        .toString();
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
    status(ready, updated);

    assertThat(doctor().of("deployment/sluice-webhook")).contains(finding);
  }

  @Test
  void namesAPodWhoseProgramsAreOfDifferentVersionsOrGates() {
    api.jsonPatch(
            DEPLOYMENT,
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
    api.delete(SLICES + "/ready").orThrow();

    assertThat(doctor().of("service sluice-system/sluice-webhook"))
        .containsExactly("error: has no endpoint that is ready: nobody answers");
  }

  @Test
  void namesALeaderThatIsGone() {
    lease(Instant.now().minusSeconds(500));

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
    authorities("%s since %s until %s, serial 1".formatted(stage, at(since), at(until)));

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
  void namesAConfigurationThatThisVersionCannotRead() {
    apply(
        "/api/v1" + NAMESPACE + "configmaps/sluice-config",
        """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"sluice-config"},
        "data":{"config.yaml":"apiVersion: v9\\nkind: Configuration\\n"}}\
        """);

    assertThat(doctor().of("configuration")).isNotEmpty().allMatch(it -> it.startsWith("error: "));
  }

  @Test
  void namesAWebhookThatCanLockOutWhatTheServerNeeds() {
    register("{}");

    Examined examined = doctor();

    String webhook = "mutatingwebhookconfigurations/sluice-mutating mjob.kb.io";
    assertThat(examined.of(webhook))
        .contains(
            "error: also asks about namespace kube-system: while no server answers, none can be"
                + " started there",
            "error: also asks about namespace sluice-system: while no server answers, none can be"
                + " started there");

    register(
        """
        {"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn",
        "values":["kube-system","sluice-system"]}]}\
        """);
    assertThat(doctor().of(webhook)).noneMatch(it -> it.startsWith("error: also asks"));
  }

  /** A webhook that asks about Deployments. */
  private static void register(String selector) {
    api.delete(MUTATING + "/sluice-mutating");
    api.create(
            MUTATING,
            """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
            "metadata":{"name":"sluice-mutating"},"webhooks":[{"name":"mjob.kb.io",
            "admissionReviewVersions":["v1"],"sideEffects":"None","namespaceSelector":%s,
            "objectSelector":{"matchLabels":{"asked":"about"}},
            "rules":[{"apiGroups":["apps"],"apiVersions":["v1"],"operations":["CREATE"],
            "resources":["deployments"]}],"clientConfig":{"service":{"namespace":"sluice-system",
            "name":"sluice-webhook","path":"/mutate"}}}]}\
            """
                .formatted(selector))
        .orThrow();
  }

  @Test
  void deletesAWebhookConfigurationWhoseServerIsGoneOnlyIfAskedTo() {
    register("{}");
    doctor("--fix");
    assertThat(api.get(MUTATING + "/sluice-mutating").isSuccess())
        .as("its Service is there")
        .isTrue();

    api.delete(SERVICE).orThrow();
    doctor();
    assertThat(api.get(MUTATING + "/sluice-mutating").isSuccess()).as("not asked to").isTrue();

    Examined examined = doctor("--fix");
    assertThat(examined.of("mutatingwebhookconfigurations/sluice-mutating"))
        .contains("ok: deleted, because its server was gone");
    assertThat(api.get(MUTATING + "/sluice-mutating").status()).isEqualTo(404);
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
    api.mergePatch(
            CRD,
            "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\"%s\"}}}}}"
                .formatted(
                    Base64.getEncoder().encodeToString(certificates.caBundlePem().getBytes(UTF_8))))
        .orThrow();
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
